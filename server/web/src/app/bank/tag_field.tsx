// The tags of a question, and a field that adds one.
import { text } from '../../shared/i18n.tsx'
import { limits, type BankEditor } from './state.ts'
import { TagList, useTags } from './tags.tsx'
import { has } from './words.ts'

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
        onInput={(event) => editor.typeTag(event.currentTarget.value)}
        onKeyDown={press}
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
