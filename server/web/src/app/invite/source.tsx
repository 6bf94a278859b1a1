// Takes a table: pasted, dropped, or from a file.
import { useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { save } from '../core/download.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { Icon } from '../core/icons.tsx'
import { csvOf } from '../candidates/csv.ts'
import { maxRows, readFile, readText, type Cells, type FileFault } from './sheet.ts'

type Problem = FileFault | 'empty' | 'tooMany'

export function Source({ take }: { take(cells: Cells, name?: string): void }) {
  const [problem, setProblem] = useState<Problem>()
  const [isOver, setOver] = useState(false)
  const draft = useDraft('paste', () => '')
  const { value, set: setValue } = draft
  const file = useRef<HTMLInputElement>(null)

  const accept = (cells: Cells | FileFault, name?: string) => {
    if (typeof cells === 'string') return setProblem(cells)
    if (cells.length === 0 || cells[0]!.length === 0) return setProblem('empty')
    if (cells.length > maxRows + 1) return setProblem('tooMany')
    draft.forget()
    take(cells, name)
  }
  const read = async (chosen: File | undefined) => {
    if (chosen) accept(await readFile(chosen), chosen.name)
  }
  return (
    <section
      class="card invite-source"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void read(event.dataTransfer?.files[0])
      }}
    >
      <h2>{text('invite.source.title')}</h2>
      <p class="muted">{text('invite.source.text')}</p>
      {draft.isBack && <DraftNote discard={draft.drop} />}
      <textarea
        class="field"
        rows={6}
        aria-label={text('invite.source.paste')}
        placeholder={text('invite.source.placeholder')}
        spellcheck={false}
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text/plain') ?? ''
          if (value.trim() !== '' || pasted.trim() === '') return
          event.preventDefault()
          accept(readText(pasted))
        }}
      />
      {problem && (
        <div class="note bad" role="alert">
          <Icon name="warning" />
          <p>{text(`invite.source.${problem}`, { count: maxRows })}</p>
        </div>
      )}
      <div class="invite-buttons">
        {value.trim() !== '' && (
          <button type="button" class="button primary" onClick={() => accept(readText(value))}>
            {text('invite.source.use')}
          </button>
        )}
        <button type="button" class="button" onClick={() => file.current?.click()}>
          <Icon name="upload" />
          {text('invite.source.file')}
        </button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values,.xlsx,.xls,.ods"
          aria-label={text('invite.source.file')}
          onChange={(event) => {
            void read(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
        <span class="grow" />
        <button type="button" class="link-button small" onClick={saveSample}>
          {text('invite.source.sample')}
        </button>
      </div>
    </section>
  )
}

function saveSample(): void {
  const head = [text('invite.name'), text('invite.email.address'), text('invite.externalId'), text('invite.extraTime')]
  const rows = [
    ['Mei Lindqvist', 'mei@candidate.example', 'application-4711', ''],
    ['Theo Marsh', 'theo@candidate.example', 'application-4712', '25'],
  ]
  save(csvOf([head, ...rows]), text('invite.source.sampleFile'))
}
