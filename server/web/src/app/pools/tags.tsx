// A field for tags of the bank: those that are set, and a field that adds some, with suggestions.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { plain } from '../../shared/text.ts'
import { TagList, useTags } from '../bank/tags.tsx'
import { has } from '../bank/words.ts'
import { tagsIn } from '../core/review_tags.ts'

/** The limits of the contract. */
const limits = { tags: 20, tag: 40 }

interface Props {
  id: string
  label: string
  hint: ComponentChildren
  isOptional?: boolean
  error?: string | undefined
  /** The place of the field in the editor. */
  place?: string
  tags: string[]
  change(tags: string[]): void
}

export function TagsField({ id, label, hint, isOptional, error, place, tags, change }: Props) {
  const [typed, setTyped] = useState('')
  const known = useTags()
  const isTooLong = tagsIn(typed).some((tag) => [...tag].length > limits.tag)
  const fault = isTooLong ? text('field.too_long') : error
  const add = (value: string) => {
    const next = [...tags]
    for (const tag of tagsIn(value)) {
      // A suggestion has the spelling of the bank.
      const spelled = known.find(({ name }) => plain(name) === plain(tag))?.name ?? tag
      if (!has(next, tag) && next.length < limits.tags) next.push(spelled)
    }
    setTyped('')
    if (next.length > tags.length) change(next)
  }
  const press = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' || event.key === ',') {
      if (event.key === 'Enter' && !typed.trim()) return // it sends the form
      event.preventDefault()
      if (!isTooLong) add(typed)
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) change(tags.slice(0, -1))
  }
  const remove = (tag: string) => {
    change(tags.filter((one) => one !== tag))
    document.getElementById(id)?.focus() // the button that had the focus is gone
  }
  return (
    <div class="form-row">
      <label for={id}>
        {label} {isOptional && <span class="muted optional">{text('form.optional')}</span>}
      </label>
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
      <TagList label={label} tags={tags} nameOf={(tag) => text('pools.tags.remove', { tag })} remove={remove} />
      <input
        id={id}
        class="field"
        data-place={place}
        list={`${id}-known`}
        autocomplete="off"
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={[`${id}-hint`, fault && `${id}-error`].filter(Boolean).join(' ')}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          // A browser that puts in a suggestion sends no key.
          const isChosen = known.some(({ name }) => name === value) && !has(tags, value) && value !== typed
          if (isChosen && value.length - typed.length > 1) add(value)
          else setTyped(value)
        }}
        onKeyDown={press}
        onBlur={() => typed.trim() && !isTooLong && add(typed)}
      />
      <datalist id={`${id}-known`}>
        {known
          .filter(({ name }) => !has(tags, name))
          .map(({ name, count }) => (
            <option key={name} value={name} label={text('pools.tags.known', { name, count })} />
          ))}
      </datalist>
      {fault && (
        <p id={`${id}-error`} class="error">
          {fault}
        </p>
      )}
    </div>
  )
}
