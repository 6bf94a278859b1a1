// The tags of candidates, as a person types them.
import { text } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Schemas } from './api.ts'

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

/** changeTags adds tags to a candidate, and removes others. */
export const changeTags = (id: string, body: Schemas['ReviewTagsPatch']) =>
  ask(v1.PATCH('/v1/candidate-sessions/{id}/review/tags', { params: { path: { id } }, body }))
