// Tags that can be removed, and the tags that questions have.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'
import { useQuery } from '../core/query.ts'

export const useTags = () => useQuery('/v1/question-tags', () => ask(v1.GET('/v1/question-tags'))).data ?? []

interface TagListProps {
  label: string
  tags: string[]
  /** The name of the button that removes a tag. */
  nameOf(tag: string): string
  remove(tag: string): void
}

/** TagList shows tags that can be removed. */
export function TagList({ label, tags, nameOf, remove }: TagListProps) {
  if (tags.length === 0) return null
  return (
    <ul class="chips-of-tags" aria-label={label}>
      {tags.map((tag) => (
        <li key={tag} class="tag">
          <span translate={false}>{tag}</span>
          <button type="button" aria-label={nameOf(tag)} title={nameOf(tag)} onClick={() => remove(tag)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
