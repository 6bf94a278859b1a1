// Questions of the bank in words.
import { text } from '../../shared/i18n.tsx'
import { plain } from '../../shared/text.ts'

/** has reports whether a list has a tag, whatever its case is. */
export const has = (tags: string[], tag: string): boolean => tags.some((one) => plain(one) === plain(tag))

/** The characters of a title. A text has up to 10,000. */
const most = 140

/** titleOf is the first line of a Markdown text without its signs, for links and headings. */
export function titleOf(markdown: string): string {
  const words = markdown
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replaceAll(/\*\*|__|`+/g, '')
    .trim()
  const line = [...words.split('\n', 1)[0]!.trim()]
  if (line.length === 0) return text('bank.untitled')
  return line.length > most ? `${line.slice(0, most).join('')} …` : line.join('')
}

/** tagsIn returns the tags of an address. A tag has no comma. */
export const tagsIn = (value: string | undefined): string[] => value?.split(',').filter(Boolean) ?? []
