/** A text whose vector is known. */
export const KNOWN_TEXT = 'Rain barrels keep the water of the roof for the garden.';

/** Its vector, as base64 of 384 signed bytes (the greatest number is 127 or -127). */
export const KNOWN_VECTOR =
  '9+wH7BDuDO7yAt79APQCFBMu6gj28PHn7gMVGADtB+Hs8uj+9QMW8wQd2Pf8FRbsEM3qB/IA9QcBFP0D9v3E/Ab64hkhIQsPJwP1' +
  '/tr41Q0T+BcL3xkP+xoi/fvq+P4c/AADduD2HwP8/vT/7gsZ7gAHA+oC5uHgDiXyGRktFBb9Ev3jHe0BAxT/9uL/6/7iCSn3BB76' +
  'BCMfAxsM9Sb97xci8fwF7RD8/v37Gwv+DNPQAA34AgD6Ef8W3+0J9e4aGgzZAPcEDQYNAPEkIR0U5OALFAQN9fgV+eQDDDLo7KUM' +
  '3c///PfW9ucu3AP6+gMYFP8NCAAL9QvmNwoJ9wQCGekMCAwQ9vcfJA3Z/AD1FvfW7wIXBA3/9BbxBRcBE/4d5ujh9vz48t7oFekE' +
  'EAAGCvQiBQoOzwQBAhIJ3ekO84EBAef9IQEwDRTsBPfs9wIS+/0PFRwo+gsG9/D5GQccJOzpIP/7APTuB+b89M4t/R4DAAkS/voC' +
  '+QH7FAbt5vQZ';

/**
 * How alike a vector is to the known one: their cosine, which differs a little between kinds of processors.
 *
 * @example likenessToKnown(vector) > 0.99
 */
export function likenessToKnown(vector: Float32Array): number {
  const known = new Int8Array(Buffer.from(KNOWN_VECTOR, 'base64'));
  if (vector.length !== known.length) return 0;
  let [product, ours, theirs] = [0, 0, 0];
  known.forEach((value, at) => {
    product += value * vector[at]!;
    ours += value * value;
    theirs += vector[at]! * vector[at]!;
  });
  return product / Math.sqrt(ours * theirs);
}
