import type { View } from '@grove/vault';

/**
 * What is made of a View once and kept while the View stands as it was; it goes with the View. A change that the View
 * knows of is in what is answered next.
 */
export function perGeneration<Made>(make: (view: View) => Made): (view: View) => Made {
  const kept = new WeakMap<View, { readonly generation: number; readonly made: Made }>();
  return (view) => {
    const { generation } = view;
    const last = kept.get(view);
    if (last?.generation === generation) return last.made;
    const made = make(view);
    kept.set(view, { generation, made });
    return made;
  };
}
