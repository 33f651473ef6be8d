import { Transform } from 'node:stream';

const BLOCK = 512;
/** Extensions of headers are read into memory as a whole; none that holds a name alone is longer. */
const MAX_EXTENSION = 64 * 1024;
/** Types of headers that belong to the entry after them: of POSIX `x` and `g`, of GNU `K` and `L`. */
const EXTENSIONS: ReadonlySet<string> = new Set(['x', 'g', 'K', 'L']);
const FOLDER = '5';

/**
 * Lets a tar file through that can be read in bounded memory. It ends with an error where the extension of a header is
 * longer than any name, or says another size than its header: what comes after it would be taken for something else.
 */
export function guardTar(): Transform {
  let header: Buffer = Buffer.alloc(0);
  let extension: Buffer | null = null;
  let left = 0;

  const look = (): void => {
    const type = String.fromCharCode(header[156] ?? 0);
    const size = type === FOLDER ? 0 : sizeOf(header);
    if (EXTENSIONS.has(type)) {
      if (size > MAX_EXTENSION) throw new Error('a name in it is too long');
      extension = Buffer.alloc(0);
    }
    left = Math.ceil(size / BLOCK) * BLOCK;
    header = Buffer.alloc(0);
  };

  const pass = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length; ) {
      const wanted = left > 0 ? left : BLOCK - header.length;
      const part = chunk.subarray(at, at + wanted);
      at += part.length;
      if (left === 0) {
        header = Buffer.concat([header, part]);
        if (header.length === BLOCK) look();
        continue;
      }
      left -= part.length;
      if (extension === null) continue;
      extension = Buffer.concat([extension, part]);
      if (left > 0) continue;
      if (/(?:^|\n)\d+ size=/.test(extension.toString('latin1')))
        throw new Error('it says two sizes of a file');
      extension = null;
    }
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        pass(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** Octal digits, or GNU's base 256 where the highest bit is set. */
function sizeOf(header: Buffer): number {
  const field = header.subarray(124, 136);
  if (((field[0] ?? 0) & 0x80) !== 0) return field.subarray(4).reduce((sum, byte) => sum * 256 + byte, 0);
  return Number.parseInt(/[0-7]+/.exec(field.toString('latin1'))?.[0] ?? '0', 8);
}
