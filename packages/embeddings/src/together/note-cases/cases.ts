/** What somebody looks for, and the note that they mean. */
export interface NoteCase {
  readonly kind: 'exact' | 'words' | 'paraphrase' | 'typo' | 'alias' | 'script' | 'tail';
  readonly query: string;
  readonly path: string;
}

const of = (kind: NoteCase['kind'], ...pairs: readonly [query: string, path: string][]): NoteCase[] =>
  pairs.map(([query, path]) => ({ kind, query, path: `${path}.md` }));

/** Sixty searches over the notes of `notes.ts`. */
export const CASES: readonly NoteCase[] = [
  ...of(
    'exact',
    ['Sourdough', 'Kitchen/Sourdough'],
    ['1-1 with Priya', 'Work/1-1 with Priya'],
    ['C++ move semantics', 'Code/C++ move semantics'],
    ['2026-11-02', 'Journal/2026-11-02'],
    ['ERR_SSL_PROTOCOL', 'Code/ERR_SSL_PROTOCOL'],
    ['Wi-Fi', 'Home/Wi-Fi'],
    ['The Left Hand of Darkness', 'Books/The Left Hand of Darkness'],
    ['Dr. Marchetti', 'People/Dr. Marchetti'],
  ),
  ...of(
    'words',
    ['tram 28 castle', 'Travel/Lisbon'],
    ['HX-88-2210', 'Home/Insurance'],
    ['varroa oxalic', 'Garden/Bees'],
    ['EPDM ring 32 mm', 'Garden/Rain barrel'],
    ['San Marzano', 'Garden/Tomatoes'],
    ['reflog', 'Code/Git rescue'],
    ['partial index tickets', 'Code/Postgres indexes'],
    ['Farrow & Ball 2005', 'Home/Paint colours'],
    ['Estraven', 'Books/The Left Hand of Darkness'],
    ['channel 36', 'Home/Wi-Fi'],
  ),
  ...of(
    'paraphrase',
    ['a client owes me money', 'Work/Invoices'],
    ['how do I sharpen blades', 'Kitchen/Knives'],
    ['recover a deleted commit', 'Code/Git rescue'],
    ['why can I not fall asleep', 'Health/Sleep'],
    ['heating has lost pressure', 'Home/Boiler'],
    ['interview process for candidates', 'Work/Hiring'],
    ['database outage in April', 'Work/Postmortem 2026-04-11'],
    ['when is the next immunisation due', 'Health/Vaccinations'],
    ['saving for old age', 'Money/Pension'],
    ['home loan interest rate', 'Money/Mortgage'],
    ['working fewer days for the same salary', 'Ideas/Four-day week'],
    ['how plants turn sunlight into sugar', 'School/Photosynthesis'],
    ['headaches and what causes them', 'Health/Migraine diary'],
    ['zettelkasten', 'Books/How to Take Smart Notes'],
    ['vacation in Portugal', 'Travel/Lisbon'],
    ['food scraps in the yard', 'Garden/Compost'],
    ['what to bring on a trip', 'Travel/Packing list'],
    ['guide to stargazing for newcomers', 'Ideas/Podcast for beginners in astronomy'],
    ['false positives in medical screening', 'School/Probability'],
    ['how much to charge for subscriptions', 'Work/Pricing'],
    ['strengthen my core', 'Health/Back exercises'],
    ['writing clear messages to colleagues', 'Work/Style of emails'],
  ),
  ...of(
    'typo',
    ['sourdogh', 'Kitchen/Sourdough'],
    ['photosyntesis', 'School/Photosynthesis'],
    ['migrane', 'Health/Migraine diary'],
    ['Midlemarch', 'Books/Middlemarch'],
    ['vacinations', 'Health/Vaccinations'],
    ['postgress indexes', 'Code/Postgres indexes'],
  ),
  ...of(
    'alias',
    ['Ania', 'People/Anna Kowalska'],
    ['Levain', 'Kitchen/Sourdough'],
    ['levain feeding', 'Kitchen/Sourdough'],
    ['Ania daughter', 'People/Anna Kowalska'],
  ),
  ...of(
    'script',
    ['美術館', 'Travel/東京の散歩'],
    ['古本屋', 'Travel/東京の散歩'],
    ['палатка', 'Travel/Поход на Байкал'],
    ['Байкал', 'Travel/Поход на Байкал'],
    ['Ölwechsel', 'Kitchen/Ölwechsel Fritteuse'],
    ['Wertstoffhof', 'Kitchen/Ölwechsel Fritteuse'],
  ),
  ...of(
    'tail',
    ['ferry to Bornholm', 'Journal/Year in review 2025'],
    ['slept in the car', 'Journal/Year in review 2025'],
    ['night in a vehicle because a boat did not sail', 'Journal/Year in review 2025'],
    ['storm harbour Ystad', 'Journal/Year in review 2025'],
  ),
];
