import { type Habits, readHabits, type View } from '@grove/vault';

const known = new WeakMap<View, { readonly generation: number; readonly habits: Habits }>();

/** What the notes of a View have in common, read once while no note of it changes. */
export function habitsOf(view: View): Habits {
  const last = known.get(view);
  if (last?.generation === view.generation) return last.habits;
  const { generation } = view;
  const habits = readHabits(view);
  known.set(view, { generation, habits });
  return habits;
}
