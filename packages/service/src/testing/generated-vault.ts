import type { GivenTrailRules } from '@grove/trails';

/** What is known of a generated note because it was put there, not because it was read. */
export interface GeneratedNote {
  readonly path: string;
  readonly text: string;
  readonly folder: string;
  readonly type: string | null;
  readonly tags: readonly string[];
  /** True where the frontmatter says `private`, in whatever spelling. */
  readonly isPrivate: boolean;
  /** True where nobody can say what the frontmatter says. */
  readonly isBroken: boolean;
}

const FOLDERS = [
  '',
  'Projects',
  'Projects/Alpha',
  'Projects/Beta/Deep',
  'People',
  'Journal/2026',
  'Écrits',
  'projects-old',
];
const TYPES = [null, null, 'Person', 'meeting', 'Journal', 'recipe'];
const TAGS = ['ai', 'ai/ml', 'AI/ml/vision', 'air', 'garden', 'Garden/beds', 'work', 'work/salary', 'été'];
const PRIVATE = [
  'private: true',
  'private: yes',
  'Private: "no"',
  'private: ""',
  'private: 0',
  'PRIVATE: [x]',
];
const PUBLIC = ['', '', '', 'private: false', 'private:', 'private: null', 'privately: true'];
const WORDS = [
  'moss',
  'lantern',
  'harbour',
  'copper',
  'thistle',
  'ledger',
  'violin',
  'quarry',
  'saffron',
  'tunnel',
];

/** Numbers that are the same in each run. */
function sequence(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Notes with tags, types, folders and privacy in every mixture and many spellings; each holds the word `common`. */
export function generateNotes(count: number, seed = 1): GeneratedNote[] {
  const next = sequence(seed);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  return Array.from({ length: count }, (_, at): GeneratedNote => {
    const folder = pick(FOLDERS);
    const path = `${folder === '' ? '' : `${folder}/`}Note ${at}.md`;
    const type = pick(TYPES);
    const tags = [...new Set(Array.from({ length: next(4) }, () => pick(TAGS)))];
    const inline = tags.filter(() => next(3) === 0);
    const listed = tags.filter((tag) => !inline.includes(tag));
    const isPrivate = next(8) === 0;
    const isBroken = next(25) === 0;
    const form = next(4);
    const lines = [
      ...(type === null ? [] : [`type: ${next(2) === 0 ? type : type.toLowerCase()}`]),
      ...tagLines(listed, form),
      isPrivate ? pick(PRIVATE) : pick(PUBLIC),
    ].filter((line) => line !== '');
    const close = isBroken && next(2) === 0 ? '' : '\n---';
    const broken = isBroken && close !== '' ? '\nbroken: [' : '';
    const front = lines.length === 0 && !isBroken ? '' : `---\n${lines.join('\n')}${broken}${close}\n`;
    const words = Array.from({ length: 12 }, () => pick(WORDS)).join(' ');
    const link = `[[Note ${next(count)}]]`;
    const text = `${front}# Heading ${at}\n\ncommon ${words} ${inline.map((tag) => `#${tag}`).join(' ')}\nSee ${link}.\n`;
    return { path, text, folder, type, tags, isPrivate, isBroken };
  });
}

function tagLines(tags: readonly string[], form: number): string[] {
  if (tags.length === 0) return [];
  if (form === 0) return [`tags: [${tags.join(', ')}]`];
  if (form === 1) return ['tags:', ...tags.map((tag) => `  - ${tag}`)];
  if (form === 2) return [`tags: ${tags.join(', ')}`];
  return [`tags: [${tags.map((tag) => JSON.stringify(`#${tag}`)).join(', ')}]`];
}

/** The notes as files of an Obsidian vault. */
export function filesOf(notes: readonly GeneratedNote[]): Readonly<Record<string, string>> {
  return { '.obsidian/app.json': '{}', ...Object.fromEntries(notes.map(({ path, text }) => [path, text])) };
}

/** Rules of trails over such vaults. */
export const GENERATED_TRAILS: readonly GivenTrailRules[] = [
  { allowTags: ['ai'] },
  { allowTags: ['AI/ML'], denyTags: ['ai/ml/vision'] },
  { allowTags: ['#garden', 'été'], denyTypes: ['journal'] },
  { denyTags: ['work', 'ai'] },
  { allowTypes: ['person', 'Meeting'] },
  { denyTypes: ['Person', 'journal'], denyTags: ['work/salary'] },
  { allowPaths: ['Projects'] },
  { allowPaths: ['projects', 'ÉCRITS'], denyPaths: ['Projects/Beta'] },
  { denyPaths: ['Journal', 'People'], allowTags: ['ai', 'work'] },
  { allowPaths: ['Projects/**'], allowTypes: ['meeting', 'recipe'], denyTags: ['ai'] },
  { allowPaths: ['**'] },
  { allowTags: ['nothing has this'.replaceAll(' ', '-')] },
];

/** Whether a trail shows a note, decided without any of Grove's code. */
export function isShownByOracle(rules: GivenTrailRules, note: GeneratedNote): boolean {
  const low = (text: string): string => text.toLowerCase().replace(/^#/, '');
  const has = (tag: string): boolean => note.tags.some((own) => `${low(own)}/`.startsWith(`${low(tag)}/`));
  const lies = (path: string): boolean =>
    `${low(note.path)}/`.startsWith(`${low(path).replace(/\*\*$/, '').replace(/\/$/, '')}/`) || path === '**';
  const is = (type: string): boolean => note.type?.toLowerCase() === low(type);
  const any = <T>(list: readonly T[] | undefined, fits: (item: T) => boolean): boolean =>
    list === undefined || list.some(fits);
  if (note.isPrivate || note.isBroken) return false;
  if (rules.denyTags?.some(has) || rules.denyTypes?.some(is) || rules.denyPaths?.some(lies)) return false;
  return any(rules.allowTags, has) && any(rules.allowTypes, is) && any(rules.allowPaths, lies);
}
