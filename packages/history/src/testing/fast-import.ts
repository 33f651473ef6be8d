import type { SystemGit } from '@grove/testing';

export interface GeneratedCommit {
  /** Full ref name; refs/heads/main unless named. */
  readonly ref?: string;
  readonly message?: string;
  readonly author?: string;
  /** Seconds since the epoch; the committer's is the same unless named. */
  readonly time: number;
  readonly committed?: number;
  /** Positions of parents among the commits given before; the ref's last one unless named. */
  readonly parents?: readonly number[];
  /** Path -> content; null deletes. */
  readonly files: Readonly<Record<string, string | Uint8Array | null>>;
}

/** Writes many commits by one run of the system's git (git-fast-import), loose unless told; no work tree. */
export function importCommits(
  git: SystemGit,
  commits: readonly GeneratedCommit[],
  { loose = true }: { loose?: boolean } = {},
): void {
  const parts: (string | Uint8Array)[] = [];
  const data = (content: string | Uint8Array) => {
    const bytes = Buffer.from(content as string);
    parts.push(`data ${bytes.length}\n`, bytes, '\n');
  };
  commits.forEach(({ ref = 'refs/heads/main', message = 'Change', author = 'Ada', ...commit }, i) => {
    const { time, committed = time, parents, files } = commit;
    if (parents?.length === 0) parts.push(`reset ${ref}\n\n`);
    parts.push(`commit ${ref}\nmark :${i + 1}\n`);
    parts.push(`author ${author} <${author.toLowerCase()}@example.org> ${time} +0100\n`);
    parts.push(`committer Ada <ada@example.org> ${committed} +0100\n`);
    data(message);
    for (const [k, parent] of (parents ?? []).entries()) {
      parts.push(`${k === 0 ? 'from' : 'merge'} :${parent + 1}\n`);
    }
    for (const [path, content] of Object.entries(files)) {
      const quoted = JSON.stringify(path);
      if (content === null) {
        parts.push(`D ${quoted}\n`);
      } else {
        parts.push(`M 100644 inline ${quoted}\n`);
        data(content);
      }
    }
    parts.push('\n');
  });
  const input = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  git.feed(
    input,
    '-c',
    `fastimport.unpackLimit=${loose ? 1_000_000 : 1}`,
    'fast-import',
    '--quiet',
    '--force',
  );
}
