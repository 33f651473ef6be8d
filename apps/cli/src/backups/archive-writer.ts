import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { errorCode } from '@grove/core';
import { type Headers, type Pack, pack } from 'tar-stream';
import { DATA, type ManifestFile } from './layout.ts';

/** Packs of git are compressed already. */
const LEVEL = 3;
/** A file up to this size is read at once, as it is at one moment. */
const SMALL = 1 << 20;

/** Writes one backup: a tar file in gzip. */
export class ArchiveWriter {
  readonly #tar: Pack = pack();
  readonly #written: Promise<void>;
  readonly files: ManifestFile[] = [];

  /**
   * @param path is made, readable by this user alone; it must not be there
   * @param stop ends it in the middle
   */
  constructor(path: string, stop: AbortSignal) {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    this.#written = pipeline(this.#tar, createGzip({ level: LEVEL }), file, { signal: stop });
    // Whoever adds the next part hears of it.
    this.#written.catch(() => {});
  }

  async addJson(name: string, value: unknown): Promise<void> {
    await this.#addBytes(name, 0o600, Buffer.from(`${JSON.stringify(value)}\n`));
  }

  async addFolder(path: string): Promise<void> {
    await this.#add({ name: `${DATA}${path}/`, type: 'directory', mode: 0o700 }, []);
  }

  /**
   * Adds a file of the data folder.
   *
   * @param path what it is called there
   * @param from where its bytes are
   * @returns false when it is gone
   */
  async addFile(path: string, from: string): Promise<boolean> {
    let handle: FileHandle;
    try {
      handle = await open(from, 'r');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    try {
      await this.#addOpened(path, handle);
    } finally {
      await handle.close();
    }
    return true;
  }

  /** Brings all to the disk. */
  async finish(): Promise<void> {
    this.#tar.finalize();
    await this.#written;
  }

  /** Ends it in the middle. */
  async abandon(): Promise<void> {
    this.#tar.destroy();
    await this.#written.catch(() => {});
  }

  async #addOpened(path: string, handle: FileHandle): Promise<void> {
    const { size, mode } = await handle.stat();
    if (size <= SMALL) {
      const bytes = await handle.readFile();
      await this.#addBytes(`${DATA}${path}`, mode & 0o777, bytes);
      this.#note(path, bytes.length, createHash('sha256').update(bytes).digest('hex'));
      return;
    }
    const hash = createHash('sha256');
    // What is appended meanwhile is not of this moment.
    const bytes = handle.createReadStream({ start: 0, end: size - 1, autoClose: false });
    await this.#add({ name: `${DATA}${path}`, size, mode: mode & 0o777 }, hashed(bytes, hash));
    this.#note(path, size, hash.digest('hex'));
  }

  async #addBytes(name: string, mode: number, bytes: Buffer): Promise<void> {
    await this.#add({ name, size: bytes.length, mode }, [bytes]);
  }

  /** Throws where the parts are not as long as was said. */
  async #add(header: Headers, parts: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    const added = Promise.withResolvers<void>();
    const entry = this.#tar.entry(header, (error) => (error == null ? added.resolve() : added.reject(error)));
    const write = async (): Promise<void> => {
      if (header.type === 'directory') return;
      for await (const part of parts) if (!entry.write(part)) await once(entry, 'drain');
      entry.end();
    };
    // A full disk ends the file, and what waits for it would wait for ever.
    const ended = this.#written.then(() => added.promise);
    await Promise.race([Promise.all([write(), added.promise]), ended]);
  }

  #note(path: string, size: number, sha256: string): void {
    this.files.push({ path, size, sha256 });
  }
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
