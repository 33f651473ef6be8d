import { formatPeriodic, readPeriodic } from '@grove/markdown';
import type { NoteRow } from '../note-row.ts';
import type { View } from '../view.ts';
import type { JournalHabit } from './habits.ts';

/** Names of days in use, as moment.js writes them. */
const FORMATS = [
  'YYYY-MM-DD',
  'YYYY_MM_DD',
  'YYYY.MM.DD',
  'YYYYMMDD',
  'DD-MM-YYYY',
  'DD.MM.YYYY',
  'YYYY-MM-DD dddd',
  'YYYY-MM-DD-dddd',
  'dddd, MMMM Do YYYY',
  'YYYY/YYYY-MM-DD',
  'YYYY/MM/YYYY-MM-DD',
  'YYYY/MM-MMMM/YYYY-MM-DD',
  'YYYY/MM-MMMM/YYYY-MM-DD-dddd',
  'YYYY/MM/DD',
];
const LEAST = 3;

/** The folder and the format that most notes of days have; null below three such notes. */
export function journalHabit(rows: readonly NoteRow[], view: View): JournalHabit | null {
  const counts = new Map<string, { readonly folder: string; readonly format: string; notes: number }>();
  for (const { path } of rows) {
    if (!/\d{4}/.test(path)) continue;
    const segments = path.slice(0, -3).split('/');
    for (const format of FORMATS) {
      const depth = format.split('/').length;
      if (segments.length < depth) continue;
      if (readPeriodic(segments.slice(-depth).join('/'), format, 'moment') === null) continue;
      const folder = segments.slice(0, -depth).join('/');
      const key = `${folder}\n${format}`;
      const count = counts.get(key) ?? { folder, format, notes: 0 };
      count.notes += 1;
      counts.set(key, count);
    }
  }
  const best = [...counts.values()].sort(
    (a, b) => b.notes - a.notes || b.format.length - a.format.length || (a.folder < b.folder ? -1 : 1),
  )[0];
  if (best === undefined || best.notes < LEAST) return null;
  return { ...best, known: isKnown(best, view) };
}

/** A day that no vault has a note of shows where the settings would put one. */
function isKnown({ folder, format }: Pick<JournalHabit, 'folder' | 'format'>, view: View): boolean {
  const day = '1901-02-03';
  const found = view.resolve(day);
  const place = found.kind === 'none' ? found.journal : found.kind === 'found' ? found.row.path : null;
  const name = `${formatPeriodic(day, format, 'moment')}.md`;
  return place === (folder === '' ? name : `${folder}/${name}`);
}
