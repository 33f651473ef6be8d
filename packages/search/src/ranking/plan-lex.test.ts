import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../engine/native-engine.ts';
import type { QueryNode } from '../engine/port.ts';
import { parseLex } from '../language/parse-lex.ts';
import { planLex } from './plan-lex.ts';

const plan = (query: string) => planLex(parseLex(query), nativeEngine.tokens);

function parts(query: string): {
  must: readonly QueryNode[];
  should: readonly QueryNode[];
  not: readonly QueryNode[];
} {
  const node = plan(query).query;
  if (node?.kind !== 'bool') throw new Error(`no bool node for ${query}`);
  return { must: node.must ?? [], should: node.should ?? [], not: node.not ?? [] };
}

/** The words of the optional leaves, without the clause for a name that holds them all. */
function words(query: string): readonly string[] {
  return parts(query).should.flatMap((node) => ('text' in node ? [node.text] : []));
}

describe('planLex', () => {
  it('drops function words, unless there is nothing else', () => {
    expect(words('what is the plan for my garden')).toEqual(['plan', 'garden']);
    expect(words('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
  });

  it('demands phrases among keywords, and only emphasises them in a sentence', () => {
    expect(parts('"grey heron" lake').must).toMatchObject([{ kind: 'phrase', text: 'grey heron' }]);
    const sentence = parts('please list every place along river banks where "grey heron" nests stood');
    expect(sentence.must).toEqual([]);
    expect(sentence.should).toContainEqual(expect.objectContaining({ kind: 'phrase', text: 'grey heron' }));
  });

  it('has a relaxed form only where something besides the required part is left', () => {
    expect(plan('"grey heron"').relaxed).toBeNull();
    expect(plan('grey heron').relaxed).toBeNull();
    expect(plan('"grey heron" lake').relaxed).not.toBeNull();
  });

  it('excludes as written and asks for everything else', () => {
    const node = parts('-draft -"old plan"');
    expect(node.must).toEqual([{ kind: 'all' }]);
    expect(node.not.map((leaf) => leaf.kind)).toEqual(['word', 'phrase']);
    expect(node.not.every((leaf) => 'fields' in leaf && leaf.fields?.body_exact === 1)).toBe(true);
  });

  it('asks for every note when only filters are given, and for none when there is nothing', () => {
    expect(parts('tag:work').must).toEqual([{ kind: 'all' }]);
    expect(plan('').query).toBeNull();
    expect(plan('title:🚀').query).toBeNull();
  });

  it('looks for a compound together and for its parts', () => {
    const [compound] = parts('real-time').should;
    expect(compound).toMatchObject({
      kind: 'bool',
      should: [{ text: 'real-time' }, { text: 'real' }, { text: 'time' }],
    });
    const [ideographs] = parts('東京大学').should;
    expect(ideographs).toMatchObject({
      kind: 'bool',
      should: [{ text: '東京大学' }, { text: '東京' }, { text: '京大' }, { text: '大学' }],
    });
  });

  it('looks for C++ as written first', () => {
    const [node] = parts('C++').should;
    expect(node).toMatchObject({
      kind: 'bool',
      should: [{ text: 'C++', fields: { body_exact: 1 } }, { boost: 0.3 }],
    });
  });

  it('weighs a word that is repeated more, less than in proportion', () => {
    const [node] = parts('heron heron heron lake').should;
    expect(node!.boost).toBeGreaterThan(1);
    expect(node!.boost).toBeLessThan(3);
  });

  it('adds names that hold every word, for queries as short as a name', () => {
    expect(parts('grey heron').should.at(-1)).toMatchObject({
      kind: 'bool',
      must: [{ text: 'grey' }, { text: 'heron' }],
      boost: 2,
    });
    const long = Array.from({ length: 20 }, (_, at) => `heron${at}`).join(' ');
    expect(parts(long).should.every((node) => node.kind === 'word')).toBe(true);
  });

  it('bounds the leaves of one long word', () => {
    const [node] = parts('東京大学'.repeat(200)).should;
    expect(node).toMatchObject({ kind: 'bool' });
    expect(node!.kind === 'bool' && node!.should!.length).toBeLessThan(40);
  });
});
