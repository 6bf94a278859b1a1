// The tags of a question: a list, and a field that adds one.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'
import { useQuery } from '../core/query.ts'
import { limits, type BankEditor } from './state.ts'
import { has } from './words.ts'

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

export function TagField({ editor }: { editor: BankEditor }) {
  const tags = editor.tags.value
  const suggestions = useTags().filter(({ name }) => !has(tags, name))
  const fault = editor.tagsFault.value
  const field = () => document.getElementById('bank-tag')?.focus()
  const press = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const isEmpty = editor.typedTag.peek() === ''
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      editor.addTag()
    } else if (event.key === 'Backspace' && isEmpty && tags.length > 0) {
      editor.setTags(tags.slice(0, -1))
    }
  }
  return (
    <div class="form-row" style={{ marginTop: 'var(--s4)' }}>
      <label for="bank-tag">
        {text('bank.tags')} <span class="muted optional">{text('form.optional')}</span>
      </label>
      <p id="bank-tag-hint" class="hint">
        {text('bank.tags.hint')}
      </p>
      <TagList
        label={text('bank.tags')}
        tags={tags}
        nameOf={(tag) => text('bank.tags.remove', { tag })}
        remove={(tag) => {
          editor.setTags(tags.filter((one) => one !== tag))
          field() // the button that had the focus is gone
        }}
      />
      <input
        id="bank-tag"
        class="field"
        list="bank-tags"
        maxLength={limits.tag}
        autocomplete="off"
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault ? 'bank-tag-hint bank-tag-error' : 'bank-tag-hint'}
        disabled={tags.length >= limits.tags}
        value={editor.typedTag.value}
        onInput={(event) => (editor.typedTag.value = event.currentTarget.value)}
        onKeyDown={press}
        onBlur={() => editor.addTag()}
      />
      <datalist id="bank-tags">
        {suggestions.map(({ name, count }) => (
          <option key={name} value={name} label={text('bank.tags.suggestion', { name, count })} />
        ))}
      </datalist>
      {fault && (
        <p id="bank-tag-error" class="error">
          {text('bank.tags.refused')}
        </p>
      )}
    </div>
  )
}
