import { errorCode, GroveError } from '@grove/core';

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** What the system says to listening there as `port_taken` or `listen_failed`; what it did not say stays as it is. */
export function listenFault(error: unknown, { host, port }: ListenAddress): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  return code === 'EADDRINUSE'
    ? new GroveError('port_taken', { host, port }, { cause: error })
    : new GroveError('listen_failed', { host, port, reason: code }, { cause: error });
}
