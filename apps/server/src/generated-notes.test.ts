import { type GivenTrailRules, parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  filesOf,
  GENERATED_TRAILS,
  type GeneratedNote,
  generateNotes,
  isShownByOracle,
} from '../../../packages/service/src/testing/generated-vault.ts';
import { BATCH, judgeAnswers } from './testing/judge-answers.ts';
import { NO_NOTES } from './testing/open-garden.ts';
import { type ServedGarden, serveGarden } from './testing/serve-garden.ts';
import { TrailGuest } from './testing/trail-guest.ts';
import type { Verdicts } from './testing/verdicts.ts';

const NOTES = generateNotes(1_000);
/** Ways that name notes are tried for one note of so many, by each trail for others. */
const ONE_OF = 120;

let garden: ServedGarden;
let url: string;
let made = 0;
beforeAll(async () => {
  garden = await serveGarden({ ...NO_NOTES, ...filesOf(NOTES) });
  url = await garden.listen();
});
afterAll(() => garden.close());

/** Judges what a trail of these rules is answered; by default with the oracle, and about notes of its turn. */
async function judged(
  given: GivenTrailRules,
  turn: number,
  isShown = (note: GeneratedNote) => isShownByOracle(given, note),
): Promise<Verdicts> {
  const rules = parseTrailRules(given);
  const wish = { name: `Guest ${made++}`, vault: garden.opened.slug, rules, reads: 0 };
  const { token } = garden.control.trails.create(wish);
  return await judgeAnswers(
    NOTES,
    isShown,
    (at) => at % ONE_OF === turn,
    (onAnswer) => new TrailGuest(garden.app, url, token, onAnswer),
  );
}

describe('a trail over a thousand generated notes, behind the server', () => {
  it.each(GENERATED_TRAILS.map((given, turn) => [JSON.stringify(given), given, turn] as const))(
    'of %s shows what the oracle says by every way, and nothing else',
    { timeout: 240_000 },
    async (_, given, turn) => {
      expect((await judged(given, turn)).wrong()).toEqual([]);
    },
  );

  it('contradicts by every way an oracle that errs about one note', { timeout: 240_000 }, async () => {
    const given = { allowTags: ['AI/ML'] };
    const isTagged = (note: GeneratedNote) => note.tags.length > 0 && !note.isPrivate && !note.isBroken;
    for (const [isShown, told] of [
      [true, 'leaked'],
      [false, 'missed'],
    ] as const) {
      const at = NOTES.findIndex((note) => isTagged(note) && isShownByOracle(given, note) === isShown);
      const verdicts = await judged(
        given,
        at % ONE_OF,
        (note) => (note === NOTES[at]) !== isShownByOracle(given, note),
      );
      const isInRest = Math.floor(at / BATCH) % 2 === 1;
      const silent = [
        isInRest ? 'multi_get, named' : 'POST /v1/multi-get, named',
        // What is not told is missed where it was asked for.
        ...(isShown ? [] : ['all that was said']),
      ];
      const ways = verdicts.byWay().map(({ way }) => way);
      const wrong = verdicts.wrong().filter((found) => found[told].length > 0);
      expect(wrong.map(({ way }) => way)).toEqual(ways.filter((way) => !silent.includes(way)));
      expect(ways.length).toBeGreaterThan(25);
    }
  });
});
