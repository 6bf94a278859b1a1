// Filters above a list. They are in the address, so that Back works and a link can be sent.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Icon } from './icons.tsx'
import { useAddress } from './url.ts'

/** A change of a filter begins at the first page. */
export const firstPage = { after: undefined, page: undefined }

export function Filters({ children }: { children: ComponentChildren }) {
  return (
    <div class="filters" role="search">
      {children}
    </div>
  )
}

/** Search is the field that the key "/" reaches. It searches 250 ms after the last key. */
export function Search({ name = 'q', label }: { name?: string; label: string }) {
  const { query, change } = useAddress()
  const current = query[name] ?? ''
  const [value, setValue] = useState(current)
  const sent = useRef(current)
  useEffect(() => {
    if (current !== sent.current) setValue((sent.current = current)) // Back, or a link
  }, [current])
  useEffect(() => {
    if (value.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = value.trim()
      // The first letters are a step of the history. Further letters change that step.
      change({ [name]: value.trim() || undefined, ...firstPage }, current !== '')
    }, 250)
    return () => clearTimeout(timer)
  }, [value])
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search"
        class="field small"
        data-search
        placeholder={label}
        maxLength={200}
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
      />
    </label>
  )
}

interface SelectProps {
  name: string
  label: string
  options: { value: string; label: string }[]
}

/** SelectFilter chooses one value, or all. */
export function SelectFilter({ name, label, options }: SelectProps) {
  const { query, change } = useAddress()
  return (
    <label class="filter">
      <span class="unseen">{label}</span>
      <select
        class="field small"
        value={query[name] ?? ''}
        onChange={(event) => change({ [name]: event.currentTarget.value || undefined, ...firstPage })}
      >
        <option value="">{text('filter.all', { label })}</option>
        {options.map(({ value, label: option }) => (
          <option key={value} value={value}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}

/** ClearFilters removes the given parameters, if one is set. */
export function ClearFilters({ names }: { names: string[] }) {
  const { query, change } = useAddress()
  if (!names.some((name) => query[name])) return null
  return (
    <button
      type="button"
      class="button quiet small"
      onClick={() => change({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...firstPage })}
    >
      {text('filter.clear')}
    </button>
  )
}
