import { parseTrailRules, type TrailRules } from '@grove/trails';

/** A note of a person's vault, by hand: whether it belongs to what is shared, and words that no other note has. */
export interface LabelledNote {
  readonly path: string;
  readonly text: string;
  /** Words of this note alone, one of them a name or a figure that must not get about. */
  readonly words: readonly string[];
}

/** What the owner shares: the book on a kitchen garden, with the editor, and neither its money nor its people. */
export const BOOK: TrailRules = parseTrailRules({
  allowTags: ['book'],
  denyTags: ['book/money'],
  denyTypes: ['client', 'journal'],
  denyPaths: ['Archive', '**/Drafts of letters'],
});

function note(path: string, front: string, body: string, ...words: string[]): LabelledNote {
  const text = `${front === '' ? '' : `---\n${front}\n---\n`}# ${path.slice(path.lastIndexOf('/') + 1, -3)}\n\n${body}\n`;
  return { path, text, words };
}

/** Twenty notes on the book. Some link to notes that are not shared, as people do. */
export const ON_TOPIC: readonly LabelledNote[] = [
  note(
    'Book/Outline.md',
    'tags: [book]\ntype: outline',
    'Twelve chapters, one for each month. Begins with [[January]]. See [[Contract with the publisher]].',
    'twelve',
    'chapters',
  ),
  note(
    'Book/Chapters/January.md',
    'tags: [book/chapter]',
    'Seed catalogues by the stove; chitting on the windowsill.',
    'chitting',
    'catalogues',
  ),
  note(
    'Book/Chapters/February.md',
    'tags: [book/chapter]',
    'Broad beans under fleece. Forcing rhubarb in the dark.',
    'rhubarb',
    'fleece',
  ),
  note(
    'Book/Chapters/March.md',
    'tags: [book/chapter]',
    'Shallots go in when the soil does not stick to the boots.',
    'shallots',
    'boots',
  ),
  note(
    'Book/Chapters/April.md',
    'tags: [book/chapter]',
    'Pricking out. Slug patrol with a torch after rain.',
    'slug',
    'torch',
  ),
  note(
    'Book/Chapters/May.md',
    'tags: [book/chapter]',
    'Ice saints: nothing tender goes out before the fifteenth.',
    'tender',
    'fifteenth',
  ),
  note(
    'Book/Chapters/June.md',
    'tags: [book/chapter]',
    'Asparagus stops on midsummer day. Mulch with straw.',
    'asparagus',
    'straw',
  ),
  note(
    'Book/Chapters/July.md',
    'tags: [book/chapter]',
    'Courgettes want picking daily. Sow fennel for autumn.',
    'courgettes',
    'fennel',
  ),
  note(
    'Book/Chapters/August.md',
    'tags: [book/chapter]',
    'Onions dry on the shed roof; plait them by evening.',
    'onions',
    'plait',
  ),
  note(
    'Book/Chapters/September.md',
    'tags: [book/chapter]',
    'Damsons for jam, and the wasps know it too.',
    'damsons',
    'wasps',
  ),
  note(
    'Book/Chapters/October.md',
    'tags: [book/chapter]',
    'Green manure: phacelia where potatoes were.',
    'phacelia',
    'manure',
  ),
  note(
    'Book/Chapters/November.md',
    'tags: [book/chapter]',
    'Leaf mould in wire cages, two winters old.',
    'mould',
    'cages',
  ),
  note(
    'Book/Chapters/December.md',
    'tags: [book/chapter]',
    'Sharpen, oil, hang up. Leeks under snow.',
    'sharpen',
    'leeks',
  ),
  note(
    'Book/Style sheet.md',
    'tags: [book, style]\naliases: [House style]',
    'Metric first. Latin names in italics, once.',
    'metric',
    'italics',
  ),
  note(
    'Book/Photographs.md',
    'tags: [book]\nprivate: false',
    'Morning light for the brassicas; ask Jo for the macro lens.',
    'brassicas',
    'macro',
  ),
  note(
    'Research/Clay soils.md',
    '',
    'Gypsum flocculates; see the trial in Rothamsted. #book/research',
    'gypsum',
    'rothamsted',
  ),
  note(
    'Research/Companion planting.md',
    'tags: book/research',
    'Marigolds against nematodes: the evidence is thin.',
    'marigolds',
    'nematodes',
  ),
  note(
    'Inbox/Title ideas.md',
    'tags: [Book]',
    'A Year in Clay; The Patient Spade; Twelve Wheelbarrows.',
    'patient',
    'wheelbarrows',
  ),
  note(
    'Inbox/Editor questions.md',
    'tags: [book, waiting]\ntype: meeting',
    'Glossary or footnotes? Index by plant or by month?',
    'glossary',
    'footnotes',
  ),
  note(
    'Recipes/Green tomato chutney.md',
    'tags: [kitchen, book/appendix]',
    'Three pounds of green fruit, mustard seed, patience.',
    'mustard',
    'pounds',
  ),
];

/** Twenty notes that must not show: some beside the others, some with their tag, some that link to them. */
export const SENSITIVE: readonly LabelledNote[] = [
  note(
    'Work/Salary review 2026.md',
    'tags: [work]',
    'Asked for 84,300; Hendriksen offered 79,100. For [[Outline]] see evenings.',
    'hendriksen',
    '84,300',
    'salary',
  ),
  note(
    'Work/Resignation.md',
    '',
    'Notice on the first of March if the promotion falls through.',
    'resignation',
    'promotion',
  ),
  note(
    'Clients/Okonkwo divorce.md',
    'type: client\ntags: [book]',
    'Assets hidden in Guernsey, so says the husband. She gardens, see [[April]].',
    'okonkwo',
    'guernsey',
  ),
  note(
    'Clients/Lindqvist estate.md',
    'type: [case, Client]\ntags: [book/research]',
    'Two wills, the later one unsigned.',
    'lindqvist',
    'unsigned',
  ),
  note(
    'Health/Diagnosis.md',
    'private: true\ntags: [book]',
    'Dr Abernathy: early Parkinson, tremor in the left hand.',
    'abernathy',
    'parkinson',
  ),
  note(
    'Health/Medication.md',
    'tags: [health]',
    'Levodopa thrice daily; not with protein.',
    'levodopa',
    'protein',
  ),
  note(
    'Family/Custody.md',
    'tags: [family]',
    'Hearing on the ninth. Mediator says alternate weekends for Tamsin.',
    'tamsin',
    'mediator',
    'custody',
  ),
  note(
    'Family/Mother.md',
    'tags: [family, book]\nprivate: yes',
    'She forgot my name on Sunday. The home in Ashcombe has a place.',
    'ashcombe',
    'forgot',
  ),
  note(
    'Family/Inheritance.md',
    '',
    'Half the cottage, and the debts of uncle Bartholomew.',
    'bartholomew',
    'cottage',
  ),
  note(
    'Book/Contract with the publisher.md',
    'tags: [book/money]',
    'Advance 12,500 in three parts, royalties from eight per cent.',
    '12,500',
    'royalties',
  ),
  note(
    'Book/Advance and taxes.md',
    'tags: [book, Book/Money/taxes]',
    'Put aside forty per cent for the revenue.',
    'revenue',
    'taxes',
  ),
  note(
    'Book/Why I may stop.md',
    'tags: [book]\ntype: journal',
    'Nobody will read it. Gwendolyn laughed at the sample.',
    'gwendolyn',
    'laughed',
  ),
  note(
    'Book/Chapters/Cut from June.md',
    'tags: [book/chapter]\nprivate: ""',
    'The quarrel with the neighbour Fitzgibbon over the hedge.',
    'fitzgibbon',
    'quarrel',
  ),
  note(
    'Journal/2026-11-28.md',
    'type: journal\ntags: [book]',
    'Drank again. Lied to Rosalind about it.',
    'rosalind',
    'drank',
  ),
  note(
    'Archive/Old book plan.md',
    'tags: [book]',
    'Ghostwriting for senator Mallory, never to be told.',
    'mallory',
    'ghostwriting',
  ),
  note(
    'Inbox/Drafts of letters/To Edmund.md',
    'tags: [book]',
    'I never forgave you for Lisbon.',
    'edmund',
    'lisbon',
    'forgave',
  ),
  note(
    'Passwords/Hints.md',
    '',
    'Bank: first cat plus year, Zanzibar. Safe behind the encyclopaedia.',
    'zanzibar',
    'encyclopaedia',
  ),
  {
    path: 'Book/Chapters/Unfinished.md',
    text: '---\ntags: [book\n---\n# Unfinished\n\nCompare Whitcombe, who threatens to sue. #book\n',
    words: ['whitcombe', 'threatens'],
  },
  {
    path: 'Book/Chapters/Half typed.md',
    text: '---\ntags: [book]\nprivate: true\n\nThe affair with Valentina.\n',
    words: ['valentina', 'affair'],
  },
  {
    path: 'Book/Outline.sync-conflict-20261101-101010-ABCDEFG.md',
    text: '---\ntags: [book]\n---\n# Outline\n\nOld copy, still names Professor Drummond as a plagiarist.\n',
    words: ['drummond', 'plagiarist'],
  },
];
