import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '@grove/testing';
import { type Headers, type Pack, pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { restoreBackup } from './restore-backup.ts';

type Part = readonly [header: Headers & { readonly pax?: Record<string, string> }, content?: string | Buffer];

const HEADER: Part = [
  { name: 'grove-backup.json' },
  JSON.stringify({ format: 1, grove: '0.1.0', made: '2026-11-30T12:00:00.000Z' }),
];

/** The list of files that parts of an archive are. */
function listOf(...parts: readonly Part[]): Part {
  const files = parts.map(([{ name }, content = '']) => ({
    path: name.replace(/^data\//, ''),
    size: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  return [{ name: 'manifest.json' }, JSON.stringify({ files })];
}

async function archive(...parts: readonly Part[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, content = ''] of parts) tar.entry(header, content as string);
  return gzipSync(await bytesOf(tar));
}

/** All that a tar file is; ends it first. */
async function bytesOf(tar: Pack): Promise<Buffer> {
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const file = (name: string, content: string | Buffer = 'x'): Part => [{ name: `data/${name}` }, content];

/** An archive of these files that is right in everything but them. */
async function listed(...parts: readonly Part[]): Promise<Buffer> {
  return await archive(HEADER, ...parts, listOf(...parts));
}

const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

/** A tar header that says what nobody would. */
function rawHeader(type: string, size: string): Buffer {
  const block = Buffer.alloc(512);
  block.write('data/x', 0);
  block.write('0000600\0', 100);
  block.write(size, 124, 'latin1');
  block.write(type, 156);
  block.write('ustar\x0000', 257, 'latin1');
  block.write('        ', 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

async function withRaw(...raw: readonly Buffer[]): Promise<Buffer> {
  const tar = pack();
  tar.entry(HEADER[0], HEADER[1] as string);
  const begin = Buffer.concat([await firstBytes(tar), ...raw, zeros(1024)]);
  return gzipSync(begin);
}

async function firstBytes(tar: Pack): Promise<Buffer> {
  const bytes = await bytesOf(tar);
  return bytes.subarray(0, bytes.length - 1024);
}

function database(pragmas: string): Buffer {
  const path = join(temporaryFolder('database'), 'made.db');
  const made = new DatabaseSync(path);
  made.exec(`CREATE TABLE t (a); ${pragmas}`);
  made.close();
  return readFileSync(path);
}

const whole = (): Promise<Buffer> => listed(file('vaults/notes/cursor.key'), file('vaults/notes/git/HEAD'));

const HOSTILE: Readonly<Record<string, readonly [make: () => Promise<Buffer>, says: RegExp]>> = {
  'a file of something else': [async () => Buffer.from('# Notes\n'), /not a backup of Grove/],
  'no bytes at all': [async () => Buffer.alloc(0), /its end is missing/],
  'an archive of something else': [async () => await archive(file('x')), /not a backup of Grove/],
  'a path through the folder above': [() => listed(file('../outside')), /leads out/],
  'a path through the folder above, later': [() => listed(file('vaults/../../outside')), /leads out/],
  'a path from the root': [() => listed([{ name: '/etc/outside' }, 'x']), /leads out/],
  'a path from the root, behind the prefix': [() => listed(file('/etc/outside')), /leads out/],
  'a path of Windows': [() => listed(file('..\\outside')), /leads out/],
  'a drive of Windows': [() => listed(file('C:outside')), /leads out/],
  'a name of an extended header that leads out': [
    () => listed([{ name: 'data/a', pax: { path: '../../outside' } }, 'x']),
    /leads out/,
  ],
  'what passes for a restore that was cut off': [
    () => listed(file('.unfinished-restore.json', '{"staged":"..","kept":"x","names":[]}')),
    /no backup has/,
  ],
  'a symbolic link': [
    () => listed([{ name: 'data/link', type: 'symlink', linkname: '/etc' }], file('link/outside')),
    /a link or a device/,
  ],
  'a hard link': [
    () => listed([{ name: 'data/link', type: 'link', linkname: '/etc/passwd' }]),
    /a link or a device/,
  ],
  'a device': [() => listed([{ name: 'data/null', type: 'character-device' }]), /a link or a device/],
  'a name twice': [() => listed(file('a', 'one'), file('a', 'two')), /twice/],
  'a name twice, as a file and a folder': [
    () => archive(HEADER, file('a'), [{ name: 'data/a/', type: 'directory' }], listOf(file('a'))),
    /twice/,
  ],
  'a file that the list does not name': [() => archive(HEADER, file('a'), listOf()), /does not name/],
  'a file that is missing': [() => archive(HEADER, listOf(file('a'))), /a is damaged or missing/],
  'other bytes than the list says': [
    () => archive(HEADER, file('a', 'other'), listOf(file('a', 'right'))),
    /a is damaged or missing/,
  ],
  'no list': [() => archive(HEADER, file('a')), /its end is missing/],
  'a list that is none': [
    () => archive(HEADER, [{ name: 'manifest.json' }, '{"files": 3}']),
    /it is damaged/,
  ],
  'something behind its end': [() => archive(HEADER, listOf(), file('a')), /after its end/],
  'a newer form': [
    () => archive([{ name: 'grove-backup.json' }, '{"format":2,"grove":"9.1.0","made":"then"}'], listOf()),
    /Grove 9\.1\.0 made it/,
  ],
  'half of its bytes': [async () => (await whole()).subarray(0, 150), /its end is missing/],
  'a bit that has turned': [
    async () => {
      const bytes = await whole();
      bytes[60] = (bytes[60] ?? 0) ^ 0x10;
      return bytes;
    },
    /it is damaged/,
  ],
  'a name of a gigabyte': [
    () => withRaw(rawHeader('x', '10000000000\0'), zeros(4096)),
    /a name in it is too long/,
  ],
  'a file of more than the disk holds': [
    () => withRaw(rawHeader('0', '77777777777\0'.replace(/^7/, '\x80')), zeros(4096)),
    /no room/,
  ],
  'two sizes of one file': [() => listed([{ name: 'data/a', pax: { size: '9' } }, 'x']), /two sizes/],
  'a control.db that is no database': [
    () => listed(file('control.db', 'x'.repeat(2000))),
    /control\.db in it/,
  ],
  'a control.db of another program': [() => listed(file('control.db', database(''))), /another program/],
  'a control.db of a newer Grove': [
    () =>
      listed(file('control.db', database('PRAGMA application_id = 0x47727643; PRAGMA user_version = 99'))),
    /newer Grove/,
  ],
  'a ledger of a newer Grove': [
    () =>
      listed(
        file(
          'vaults/notes/ledger.db',
          database('PRAGMA application_id = 0x4772764c; PRAGMA user_version = 99'),
        ),
      ),
    /newer Grove/,
  ],
};

describe('a backup that is hostile or damaged', () => {
  it.each(Object.entries(HOSTILE))(
    '(%s) is refused, and nothing is there afterwards',
    async (_, [make, says]) => {
      const folder = temporaryFolder('restore');
      const bytes = await make();
      const restoring = restoreBackup({
        source: Readable.from([bytes]),
        dataDir: join(folder, 'parent', 'data'),
        force: false,
        now: 0,
        onEntry: () => {},
        stop: new AbortController().signal,
      });
      await expect(restoring).rejects.toThrow(says);
      expect(readdirSync(folder, { recursive: true })).toEqual([]);
    },
  );

  it('is refused at every length that it may be cut to', async () => {
    const bytes = await whole();
    for (let length = 0; length < bytes.length; length += 37) {
      const folder = temporaryFolder('restore');
      const restoring = restoreBackup({
        source: Readable.from([bytes.subarray(0, length)]),
        dataDir: join(folder, 'data'),
        force: false,
        now: 0,
        onEntry: () => {},
        stop: new AbortController().signal,
      });
      await expect(restoring, `${length} bytes`).rejects.toThrow(/The backup cannot be used/);
      expect(readdirSync(folder)).toEqual([]);
    }
  });
});
