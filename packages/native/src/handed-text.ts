import { setImmediate } from 'node:timers/promises';
import type { NativeText } from './binding.ts';
import { native } from './native.ts';

/** Text that crosses to the compiled side in one call (UTF-16 units): converting more holds the event loop. */
export const UNITS_PER_CALL = 128 * 1024;

/** Hands a long text over in parts, with a pause after each. */
export async function handText(text: string): Promise<NativeText> {
  const handed = new native.HandedText();
  for (let at = 0; at < text.length; ) {
    if (at > 0) await setImmediate();
    const end = endOfPart(text, at);
    handed.push(text.slice(at, end));
    at = end;
  }
  return handed;
}

/** Takes a long text back in parts, with a pause after each. */
export async function takeText(handed: NativeText): Promise<string> {
  let text = '';
  for (let index = 0; ; index++) {
    const part = handed.part(index);
    if (part === null) return text;
    text += part;
    await setImmediate();
  }
}

/** Never between the halves of a surrogate pair, which would become two replacement characters. */
function endOfPart(text: string, from: number): number {
  const end = Math.min(from + UNITS_PER_CALL, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
