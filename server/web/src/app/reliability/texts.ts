// The texts about reliability, which the screens of an assessment load with the parts.
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import en from './en.json?url'

const files = { de, en }

export async function withReliabilityTexts<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, loadTexts(files)])
  return loaded
}
