import { type Habits, readHabits, type View } from '@grove/vault';

/** Notes that are read for it; of more, as many evenly spread by their paths. */
const MOST_READ = 500;

const known = new WeakMap<View, { readonly generation: number; readonly habits: Habits }>();

/** What the notes of a View have in common, read once while none of them changes. */
export function habitsOf(view: View): Habits {
  const { generation } = view;
  const last = known.get(view);
  if (last?.generation === generation) return last.habits;
  const notes = view.notes();
  const step = Math.ceil(notes.length / MOST_READ);
  const habits = readHabits(view, step <= 1 ? notes : notes.filter((_, at) => at % step === 0));
  known.set(view, { generation, habits });
  return habits;
}
