import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection that says exactly what a test gives it. */
export interface RawSocket {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** What came so far. */
  text(): string;
  /** Waits until what came holds the words, or fails when the connection ends first. */
  until(words: string): Promise<string>;
  /** Waits for the end of the connection; gives all that came. */
  ended(): Promise<string>;
}

/** Connects to a port of this machine; the connection ends with the running test at the latest. */
export async function openSocket(url: string): Promise<RawSocket> {
  const { port } = new URL(url);
  const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: false });
  onTestFinished(() => {
    socket.destroy();
  });
  let text = '';
  let isOver = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  // A reset ends the connection too; "close" follows.
  socket.on('error', () => {});
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  const wait = (isThere: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isThere() && !isOver) return;
        waiting.delete(look);
        if (isThere()) resolve(text);
        else reject(new Error(`the connection ended after: ${text}`));
      };
      waiting.add(look);
      look();
    });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    socket,
    send: (bytes) => {
      socket.write(bytes);
    },
    text: () => text,
    until: (words) => wait(() => text.includes(words)),
    ended: () => wait(() => isOver),
  };
}

/** Sends bytes and gives all that comes until the server ends the connection. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const raw = await openSocket(url);
  raw.send(bytes);
  return await raw.ended();
}
