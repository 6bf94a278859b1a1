// Words for Cohen's kappa.

/** The server gives no kappa for fewer answers (WeightedKappa in openapi.yaml). */
export const enough = 10

/** The words of Landis and Koch, "The measurement of observer agreement for categorical data" (Biometrics 33, 1977). */
const words = [
  [0.81, 'almostPerfect'],
  [0.61, 'substantial'],
  [0.41, 'moderate'],
  [0.21, 'fair'],
  [0, 'slight'],
  [-Infinity, 'poor'],
] as const

/** wordOf returns the word for a kappa as it is shown, with two decimals. */
export function wordOf(kappa: number): (typeof words)[number][1] {
  const shown = Math.round(kappa * 100) / 100
  return words.find(([least]) => shown >= least)![1]
}
