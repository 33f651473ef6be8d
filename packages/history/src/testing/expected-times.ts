import type { SystemGit } from '@grove/testing';

export interface ExpectedTimes {
  readonly created: number;
  readonly modified: number;
  readonly blob: string;
}

/**
 * Times of every note at HEAD as `git log` tells them: created is the earliest author time since the path
 * was last added, modified the latest of commits without the mechanical trailer; null when there is none.
 * For histories in which no note is renamed or comes back with the bytes it had.
 */
export function expectedTimes(git: SystemGit): Map<string, ExpectedTimes | null> {
  const lives = new Map<string, { created: number; modified: number }>();
  const log = git.run(
    ...[
      '-c',
      'core.quotePath=false',
      'log',
      '--reverse',
      '--date-order',
      '--no-renames',
      '-c',
      '--name-status',
    ],
    '--format=%x01%at %(trailers:key=Grove-Mechanical,valueonly,separator=%x20)',
  );
  for (const commit of log.split('\x01').filter(Boolean)) {
    const [header = '', ...lines] = commit.split('\n');
    const [seconds, ...mechanical] = header.trim().split(' ');
    const time = Number(seconds) * 1000;
    for (const line of lines) {
      // One letter per parent: "AM" is a merge that differs from both.
      const [letters = '', path = ''] = line.split('\t');
      if (!/^[ADM]+$/.test(letters)) continue;
      if (/^D+$/.test(letters)) lives.delete(path);
      if (letters.includes('D')) continue;
      const life = lives.get(path) ?? { created: time, modified: Number.NEGATIVE_INFINITY };
      lives.set(path, {
        created: Math.min(life.created, time),
        modified: mechanical.length === 0 ? Math.max(life.modified, time) : life.modified,
      });
    }
  }
  const expected = new Map<string, ExpectedTimes | null>();
  for (const record of git.run('ls-tree', '-r', '-z', 'HEAD').split('\0').filter(Boolean)) {
    const [, mode, blob = '', path = ''] = /^(\d+) \w+ (\w+)\t(.+)$/s.exec(record) ?? [];
    if (!mode?.startsWith('100') || !/(?:^|\/)[^./][^/]*\.md$/i.test(path) || /(?:^|\/)\./.test(path))
      continue;
    const life = lives.get(path);
    expected.set(path, life === undefined || life.modified < 0 ? null : { ...life, blob });
  }
  return expected;
}
