// What a field for a long text has besides a plain one: it cleans what is pasted, grows, and says how many words it
// has. It is loaded with the first such question. It imports nothing, because it is a script of its own.
import type { announce as Announce } from '../shared/announce.ts'
import type { text as Text } from '../shared/i18n.tsx'

export interface Writing {
  /** Takes the field, or null when it leaves the page. */
  attach(field: HTMLTextAreaElement | null): void
  /**
   * The number of words of the text, how many more characters it can have if these are few, and what was left out of a
   * paste. `asked` is how many words it should have.
   */
  about(shown: string, left: number, asked?: number | null): string
}

/** The limit of the contract, in characters. */
const limit = 20_000
/** From how many characters on the page says how many more there can be. */
const few = 2000
/** How long the candidate has stopped typing when the number of words is spoken, in milliseconds. */
const silence = 2000
/** How many words come between two announcements. */
const step = 50
/** How many lines are too many for a paste that can be undone. */
const manyLines = 200
/** How many characters of a part that was left out the page shows. */
const shownOfRest = 40

/** words counts as word processors do: each sign of Chinese and Japanese is a word; otherwise, spaces divide words. */
export function words(text: string): number {
  const found = text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu) ?? []
  return found.filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** length is the number of characters (code points), as the contract counts them. */
const length = (text: string) => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/**
 * tidy is a pasted text without what nobody sees: line breaks of word processors are ordinary ones, spaces that do not
 * break are ordinary ones, and characters without width are gone. The joiners of emoji and of Persian stay, and
 * so do typographic quotes.
 */
export function tidy(pasted: string): string {
  return pasted
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/[\0-\x08\x0e-\x1f\x7f\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/\uf0b7/g, '•') // the bullet of Word, from a font of its own
}

/** fitting divides a text into what has at most `room` characters, and the rest. */
export function fitting(text: string, room: number): [string, string] {
  if (length(text) <= room) return [text, '']
  const fits = [...text.slice(0, 2 * room)].slice(0, room).join('')
  return [fits, text.slice(fits.length)]
}

/** writing is for one field. */
export function writing(text: typeof Text, announce: typeof Announce): Writing {
  let field: HTMLTextAreaElement | null = null
  let most: number | null | undefined
  let said = 0 // the step of the number of words that was spoken last, or that was there at the beginning
  let timer: ReturnType<typeof setTimeout>
  let rest = '' // what the paste that has just been inserted did not have room for
  let leftOut = ''
  let leftOutOf = '' // the text after that paste; every other text ends the notice

  const inWords = (count: number) =>
    most ? text('field.words.asked', { count, asked: most }) : text('field.words', { count })
  const stepOf = (count: number) => Math.floor(count / step) + (most && count > most ? 1e6 : 0)

  const speak = () => {
    const count = words(field?.value ?? '')
    if (stepOf(count) === said) return
    said = stepOf(count)
    announce(inWords(count))
  }
  const input = () => {
    leftOut = rest
      ? text('field.text.leftOut', {
          count: length(rest),
          start: fitting(rest.trim().replace(/\s+/g, ' '), shownOfRest)[0],
        })
      : ''
    rest = ''
    leftOutOf = field?.value ?? ''
    if (leftOut) announce(leftOut)
    clearTimeout(timer)
    timer = setTimeout(speak, silence)
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    if (!field || field.readOnly || !pasted) return
    const { value, selectionStart: start, selectionEnd: end } = field
    const room = limit - length(value.slice(0, start) + value.slice(end))
    const [fits, over] = fitting(tidy(pasted), Math.max(0, room))
    if (fits === pasted) return // the browser pastes it
    event.preventDefault()
    rest = over
    // Chromium undoes the inserted text and the letters typed just before it as one, unless the selection is set.
    field.setSelectionRange(start, end)
    // Only this command lets the browser undo the paste. With thousands of lines, it takes Chromium many seconds.
    const canUndo = fits.split('\n').length < manyLines
    if (fits && canUndo && document.execCommand('insertText', false, fits)) return
    if (fits) field.setRangeText(fits, start, end, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  // Browsers that cannot size a field by its content.
  const grow = () => {
    if (!field || CSS.supports('field-sizing', 'content')) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight + 2}px`
  }

  return {
    attach(attached) {
      clearTimeout(timer)
      removeEventListener('beforeprint', grow)
      field = attached
      if (!field) return
      said = stepOf(words(field.value))
      field.addEventListener('input', input)
      field.addEventListener('paste', paste)
      addEventListener('beforeprint', grow)
    },
    about(shown, left, asked) {
      most = asked
      setTimeout(grow)
      const room = left <= few ? text('field.text.left', { count: left }) : ''
      return [inWords(words(shown)), room, shown === leftOutOf && leftOut].filter(Boolean).join(' · ')
    },
  }
}
