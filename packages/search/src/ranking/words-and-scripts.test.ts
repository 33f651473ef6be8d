import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type NoteFolder, openNoteFolder, paths } from '../testing/note-folder.ts';

describe('words as people write them', () => {
  let folder: NoteFolder;

  beforeAll(async () => {
    folder = await openNoteFolder({
      'real-time.md': 'Clocks that run in real-time.',
      'time.md': 'It takes real courage and time, in real life and over time.',
      'release.md': 'We shipped 1.0.21 today.',
      'other-release.md': 'Versions 1, 0 and 21; then 21.0.1 came.',
      'throughput.md': 'It copies 3 GB/s.',
      'units.md': 'Some GB and some s.',
      'dont.md': "Please don't panic.",
      'C++.md': 'Templates in C++ are a language of their own.',
      'C#.md': 'Properties in C# are methods.',
      'C.md': 'The language C has pointers. C is small.',
      'snake_case.ts notes.md': 'See snake_case.ts for it.',
      'snake.md': 'A snake, in any case; ts.',
      'and-or.md': 'read/write and/or either',
      '日本.md': '昨日は京都から東京大学へ行きました。とても楽しかったです。',
      '中国.md': '我们今天在北京学习机器学习的基础知识。',
      'Россия.md': 'Мы долго обсуждали большие города и поездки.',
      '한국.md': '우리는 오늘 서울에서 만났습니다.',
      'ไทย.md': 'วันนี้เราไปเที่ยวกรุงเทพมหานคร',
      'Ελλάδα.md': 'Οι μεγάλες πόλεις της χώρας.',
    });
  });
  afterAll(() => folder.close());

  it.each([
    ['real-time', 'real-time.md'],
    ['1.0.21', 'release.md'],
    ['GB/s', 'throughput.md'],
    ["don't", 'dont.md'],
    ['don’t', 'dont.md'],
    ['C++', 'C++.md'],
    ['c#', 'C#.md'],
    ['snake_case.ts', 'snake_case.ts notes.md'],
    ['and/or', 'and-or.md'],
    ['how fast is 3 GB/s?', 'throughput.md'],
    ['templates in C++', 'C++.md'],
    ['(real-time)', 'real-time.md'],
  ])('%s: never an error, the exact note first', async (query, path) => {
    expect(paths(await ask(folder, query))[0]).toBe(path);
  });

  it.each([
    ['東京', '日本.md'],
    ['東京大学', '日本.md'],
    ['京都', '日本.md'],
    ['京', '日本.md'],
    ['大阪城', null],
    ['机器学习', '中国.md'],
    ['北京', '中国.md'],
    ['在哪里学习机器学习', '中国.md'],
    ['서울', '한국.md'],
    ['กรุงเทพ', 'ไทย.md'],
  ])('%s is found in the middle of a sentence', async (query, path) => {
    const answer = await ask(folder, query);
    expect(paths(answer)[0] ?? null).toBe(path);
    if (path !== null) expect(answer.hits[0]!.snippets[0]!.text).toContain(query[0]);
  });

  it.each([
    ['город', 'Россия.md'],
    ['поездка', 'Россия.md'],
    ['πόλη', 'Ελλάδα.md'],
  ])('%s finds other forms of the word', async (query, path) => {
    expect(paths(await ask(folder, query))[0]).toBe(path);
  });
});
