// Pictures in a field with Markdown: chosen, pasted, or dropped. The server keeps them, and the text names their ids.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'

const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
/** The largest file, in bytes. */
const largest = 5 * 1024 * 1024

type TextControl = HTMLInputElement | HTMLTextAreaElement

interface Props {
  /** The place of the field. */
  place: string
  /** The text in the field now. */
  source: string
  /** In a row, without words on the button. */
  isSmall?: boolean
}

export function Pictures({ place, source, isSmall }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const upload = async (file: File) => {
    const why = whyNot(file)
    setError(why)
    if (why) return
    setBusy(true)
    const answer = await ask(
      v1.POST('/v1/media', {
        headers: { 'Content-Type': file.type },
        body: file as unknown as string, // the contract's type of a file is a string
        bodySerializer: (body) => body,
      }),
    )
    setBusy(false)
    if (answer.ok) insert(fieldAt(place), answer.data.id, wordsOf(file.name))
    else setError(reasonOf(answer.fault.problem?.code))
  }
  const latest = useRef(upload)
  latest.current = upload
  useEffect(() => {
    const field = fieldAt(place)
    const take = (event: Event, files: FileList | undefined) => {
      const file = [...(files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (!file) return
      event.preventDefault()
      event.stopImmediatePropagation()
      void latest.current(file)
    }
    const paste = (event: Event) => take(event, (event as ClipboardEvent).clipboardData?.files)
    const drop = (event: Event) => take(event, (event as DragEvent).dataTransfer?.files)
    field?.addEventListener('paste', paste)
    field?.addEventListener('drop', drop)
    return () => {
      field?.removeEventListener('paste', paste)
      field?.removeEventListener('drop', drop)
    }
  }, [place])
  const label = text(isBusy ? 'editor.picture.busy' : 'editor.picture.insert')
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={types.join()}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) void upload(file)
          currentTarget.value = ''
        }}
      />
      <button
        type="button"
        class={isSmall ? 'button quiet small icon-only' : 'button quiet small'}
        aria-disabled={isBusy}
        aria-label={isSmall ? label : undefined}
        title={isSmall ? label : undefined}
        onClick={() => !isBusy && input.current!.click()}
      >
        <Icon name="image" />
        {!isSmall && label}
      </button>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {source.includes('![](media:') && <p class="hint">{text('editor.picture.words')}</p>}
    </>
  )
}

const fieldAt = (place: string) =>
  document.querySelector<TextControl>(`:is(input, textarea)[data-place="${CSS.escape(place)}"]`)

function whyNot({ type, size }: File): string | undefined {
  if (!types.includes(type)) return text('editor.picture.type')
  return size > largest ? text('editor.picture.size') : undefined
}

function reasonOf(code: string | undefined): string {
  if (code === 'invalid_request') return text('editor.picture.refused')
  return text(code === 'media_quota_exceeded' ? 'editor.picture.full' : 'editor.picture.failed')
}

/** wordsOf is the name of a file as words. A pasted picture has no name of its own. */
function wordsOf(name: string): string {
  const words = name.replace(/\.\w+$/, '').replaceAll(/[\s_[\]()-]+/g, ' ').trim()
  return /^image$/i.test(words) ? text('editor.picture.unnamed') : words
}

/** insert adds the picture where the cursor is, and selects its alternative text, which the author then changes. */
function insert(field: TextControl | null, id: string, words: string): void {
  if (!field) return
  const at = field.selectionStart ?? field.value.length
  field.setRangeText(`![${words}](media:${id})`, at, field.selectionEnd ?? at, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
  field.setSelectionRange(at + 2, at + 2 + words.length)
}
