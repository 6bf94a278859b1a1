// The fields of the source: a file, or a pasted text.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { number } from '../core/figures.ts'
import { Icon } from '../core/icons.tsx'
import { LinesField } from './lines.tsx'
import type { Severity } from './notes.ts'
import { accepted, type Lines } from './source.ts'

interface FileProps {
  /** A file that is sent as it is. */
  file: File | undefined
  /** The name of the file whose text is in the field. */
  name: string
  open(file: File): void
  remove(): void
}

export function FileField({ file, name, open, remove }: FileProps) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const dropped = event.dataTransfer?.files[0]
    if (dropped) open(dropped)
  }
  return (
    <>
      <label
        class={isOver ? 'import-file over' : 'import-file'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" />
        <span>
          <b>{file?.name || name || text('import.file.choose')}</b>
          <span class="small muted">{text('import.file.kinds')}</span>
        </span>
        <input
          type="file"
          class="unseen"
          accept={accepted}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0]
            if (chosen) open(chosen)
            event.currentTarget.value = '' // the same file can be opened again after a change
          }}
        />
      </label>
      {file && (
        <p class="small import-sent">
          {text('import.file.sent', { size: number(Math.max(0.01, file.size / 1_000_000), 2) })}{' '}
          <button type="button" class="link-button" onClick={remove}>
            {text('import.file.remove')}
          </button>
        </p>
      )}
    </>
  )
}

interface TextProps {
  value: string
  change(value: string): void
  marks: ReadonlyMap<number, Severity>
  shown: Lines | undefined
}

export function PastedText(props: TextProps) {
  return (
    <div class="form-row">
      <label for="import-text">{text('import.paste.label')}</label>
      <p id="import-text-hint" class="hint">
        {text('import.paste.hint')}
      </p>
      <LinesField {...props} />
    </div>
  )
}

export function Help() {
  return (
    <details class="import-help small">
      <summary>{text('import.help')}</summary>
      <ul>
        <li>{text('import.help.options')}</li>
        <li>{text('import.help.correct')}</li>
        <li>{text('import.help.open')}</li>
        <li>{text('import.help.freeText')}</li>
        <li>{text('import.help.more')}</li>
        <li>{text('import.help.csv')}</li>
        <li>{text('import.help.files')}</li>
      </ul>
    </details>
  )
}
