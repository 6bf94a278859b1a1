// The texts of data protection. Parts of other screens load them with their code.
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import en from './en.json?url'

const files = { de, en }

export async function withProtectionTexts<T>(part: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([part, loadTexts(files)])
  return loaded
}
