/** withTexts waits for a part of the screen, and for the texts about decisions that it shows. */
export async function withTexts<T>(part: Promise<T>): Promise<T> {
  const [loaded, { loadDecisionTexts }] = await Promise.all([part, import('../decision/load.ts')])
  await loadDecisionTexts()
  return loaded
}
