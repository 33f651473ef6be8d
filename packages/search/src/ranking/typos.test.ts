import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type NoteFolder, openNoteFolder, paths } from '../testing/note-folder.ts';

describe('words that no note holds', () => {
  let folder: NoteFolder;

  beforeAll(async () => {
    folder = await openNoteFolder({
      'cluster.md': 'Kubernetes runs the deployment of our services.',
      'garden.md': 'Tomatoes grow in the greenhouse.',
      'private/secret.md': 'The kubernotes are hidden.',
    });
  });
  afterAll(() => folder.close());

  it('are replaced by the nearest, with a remark that names them', async () => {
    const answer = await ask(folder, 'kuberentes deployment');
    expect(paths(answer)[0]).toBe('cluster.md');
    expect(answer.remarks.join()).toContain('"kubernetes"');
    expect(answer.hits[0]!.snippets[0]!.text).toContain('Kubernetes');
  });

  it('are taken as the start of a word when they come last', async () => {
    const answer = await ask(folder, 'tomatoes gree');
    expect(paths(answer)).toEqual(['garden.md']);
    expect(answer.remarks.join()).toContain('"greenhouse"');
  });

  it('are searched literally when nothing else fits', async () => {
    expect(paths(await ask(folder, 'bernetes'))).toEqual(['cluster.md']);
  });

  it('bring suggestions when nothing is found at all', async () => {
    const answer = await ask(folder, 'title:gardne');
    expect(answer.hits).toEqual([]);
    expect(answer.total).toBe(0);
    expect(answer.suggestions).toContain('garden');
  });

  it('bring none for a query without a word', async () => {
    for (const query of ['', '   ', '""', '-']) expect((await ask(folder, query)).hits).toEqual([]);
  });

  it('leave short words alone', async () => {
    expect((await ask(folder, 'oxr')).remarks.join()).not.toContain('instead');
  });
});
