import type { CloneCall } from '../process/remote-messages.ts';
import type { RemoteProgress } from '../remote-options.ts';

/** Clones. */
export async function checkOut(
  _call: CloneCall,
  _onProgress: (progress: RemoteProgress) => void,
): Promise<{ commit: string | null; branch: string }> {
  throw new Error('not yet');
}
