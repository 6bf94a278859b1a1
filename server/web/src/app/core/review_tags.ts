// Tags as a person types them.
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'

const longest = 40

/** tagsIn returns the tags of a text in which commas separate them. */
export function tagsIn(value: string): string[] {
  return value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => !isBlank(tag))
}

/** tagFault says what is wrong with tags before the server sees them. */
export function tagFault(tags: string[]): string | undefined {
  return tags.some((tag) => [...tag].length > longest) ? text('field.too_long') : undefined
}
