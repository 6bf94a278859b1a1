// A text that a candidate typed, as it was typed.
import { useState } from 'preact/hooks'
import { formatter, language, text } from '../../shared/i18n.tsx'

/** What is shown of a long text: so many lines, and so many characters. */
const mostLines = 12
const mostCharacters = 1000

/** FreeText keeps line breaks, and shows the beginning of a long text. Nothing in it is Markdown. */
export function FreeText({ value }: { value: string }) {
  const [isWhole, setWhole] = useState(false)
  const start = isWhole ? value : startOf(value)
  return (
    <div class="free-text">
      <p dir="auto" translate={false}>
        {start}
        {start !== value && '…'}
      </p>
      <span class="small muted">{text('candidate.freeText.words', { count: wordsIn(value) })}</span>{' '}
      {startOf(value) !== value && (
        <button type="button" class="link-button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {text(isWhole ? 'candidate.freeText.less' : 'candidate.freeText.all')}
        </button>
      )}
    </div>
  )
}

/** startOf returns the first lines, and ends between two words if it can. */
export function startOf(value: string): string {
  const lines = value.split('\n').slice(0, mostLines).join('\n')
  if (lines.length <= mostCharacters) return lines.length < value.length ? lines.trimEnd() : value
  const cut = lines.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '')
  const space = cut.lastIndexOf(' ')
  return (space > mostCharacters / 2 ? cut.slice(0, space) : cut).trimEnd()
}

/** wordsIn counts words in every script, also in those without spaces. */
export function wordsIn(value: string): number {
  const words = formatter(Intl.Segmenter, language.value.tag, { granularity: 'word' })
  return [...words.segment(value)].filter(({ isWordLike }) => isWordLike).length
}
