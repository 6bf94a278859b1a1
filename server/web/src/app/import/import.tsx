// Questions from pasted text or a file become a draft. The source is beside what was understood of it.
import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { dropDraft, useDraft } from '../core/drafts.ts'
import { Icon } from '../core/icons.tsx'
import { Page } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { Empty, FaultNote, Rows } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { memo } from '../editor/memo.ts'
import { ChoiceFields } from './choices.tsx'
import { Ambiguous, Columns } from './columns.tsx'
import { isTable, noChoices, type Choices, type Imported, type Role, type Source } from './contract.ts'
import { Create } from './create.tsx'
import { FileField, Help, PastedText } from './fields.tsx'
import { marksOf } from './notes.ts'
import { usePreview, type Preview } from './request.ts'
import { General, Questions, Summary } from './result.tsx'
import { openFile, rowLines, type Lines } from './source.ts'

/** What the tab keeps. Files are not kept: they can be larger than what a browser keeps. */
interface Kept {
  text: string
  name: string
  choices: Choices
}

const nothing: Kept = { text: '', name: '', choices: noChoices }

export default function Screen() {
  const kept = useDraft<Kept>('source', () => nothing)
  const { text: pasted, name, choices } = kept.value
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [shown, setShown] = useState<Lines>()
  const { query, change } = useAddress()
  const reason = needs('EDITOR')
  const source: Source = file ? { text: '', name: file.name, file } : { text: pasted, name }
  const preview = usePreview(source, choices, !reason)
  const report = preview.imported?.report
  const rows = useMemo(() => (report?.format === 'CSV' ? rowLines(pasted) : undefined), [report, pasted])
  const marks = useMemo(() => (report ? marksOf(report, rows) : new Map()), [report, rows])

  const start = (next: Partial<Kept>, file?: File) => {
    dropDraft('title') // another source proposes another title
    setFile(file)
    setProblem(undefined)
    setShown(undefined)
    kept.set({ ...nothing, choices: { ...noChoices, language: choices.language }, ...next })
  }
  const open = async (chosen: File) => {
    const opened = await openFile(chosen)
    if ('problem' in opened) return setProblem(text(`import.file.${opened.problem}`))
    if ('file' in opened) start({}, opened.file)
    else start({ text: opened.text.replace(/\r\n?/g, '\n'), name: chosen.name })
  }
  const choose = (choices: Choices) => kept.set({ ...kept.value, choices })
  const discard = () => {
    dropDraft('title')
    kept.drop()
  }
  const show = useLatest((lines: Lines) => {
    change({ view: undefined }, true)
    const row = rows?.[lines.line - 1]
    setShown(row ? { ...row } : lines)
  })
  const crumbs = [
    { label: text('nav.assessments'), href: to('/assessments') },
    { label: text('import.new'), href: to('/assessments/new') },
  ]
  return (
    <Page title={text('import.title')} crumbs={crumbs}>
      {reason && <p class="note warn">{reason}</p>}
      <Views count={preview.imported?.report.questions.length ?? 0} />
      <div class={query.view === 'result' ? 'import shows-result' : 'import'}>
        <section class="card import-source no-print" aria-label={text('import.source')}>
          {kept.isBack && !file && <DraftNote discard={discard} />}
          <FileField file={file} name={name} open={(file) => void open(file)} remove={() => start({})} />
          {problem && (
            <p class="error" role="alert">
              {problem}
            </p>
          )}
          {!file && (
            <PastedText
              value={pasted}
              change={(value) => kept.set({ ...kept.value, text: value, name: value ? name : '' })}
              marks={marks}
              shown={shown}
            />
          )}
          <ChoiceFields choices={choices} report={report} change={choose} />
          <Help />
        </section>
        <Result
          preview={preview}
          source={source}
          choices={choices}
          setColumns={(columns) => choose({ ...choices, columns })}
          show={file ? undefined : show}
          created={kept.forget}
        />
      </div>
    </Page>
  )
}

/** useLatest returns the same function each time, which calls the newest one. */
function useLatest<T>(newest: (value: T) => void): (value: T) => void {
  const latest = useRef(newest)
  latest.current = newest
  return useCallback((value: T) => latest.current(value), [])
}

/** Views are the tabs of a phone, which has no room for the source beside the result. */
function Views({ count }: { count: number }) {
  const { query, with: address } = useAddress()
  const isResult = query.view === 'result'
  return (
    <nav class="tabs import-views" aria-label={text('import.title')}>
      <a href={address({ view: undefined })} aria-current={isResult ? undefined : 'page'}>
        {text('import.source')}
      </a>
      <a href={address({ view: 'result' })} aria-current={isResult ? 'page' : undefined}>
        {text('import.result', { count })}
      </a>
    </nav>
  )
}

interface ResultProps {
  preview: Preview
  source: Source
  choices: Choices
  setColumns(columns: Role[]): void
  show: ((lines: Lines) => void) | undefined
  created(): void
}

function Result({ preview, source, choices, setColumns, show, created }: ResultProps) {
  const { imported, fault, isReading, retry } = preview
  return (
    <div class="import-result">
      {fault && <Refusal fault={fault} retry={retry} />}
      {!imported && !fault && (isReading ? <Rows /> : <Nothing />)}
      {imported && (
        <div class={isReading ? 'import-read stale' : 'import-read'} aria-busy={isReading}>
          <Ambiguous columns={imported.report.columns} change={setColumns} />
          <section class="card">
            <Summary imported={imported} />
          </section>
          {hasQuestions(imported) && <Create key={source.name} {...{ source, choices, imported, created }} isReading={isReading} />}
          {imported.report.columns.length > 0 && <Columns columns={imported.report.columns} change={setColumns} />}
          <Read imported={imported} show={show} />
        </div>
      )}
    </div>
  )
}

const hasQuestions = ({ stages }: Imported) => stages.some((stage) => stage.questions.length > 0)

/** Read is not shown again for a key in the source, because 500 questions would delay it. */
const Read = memo(({ imported, show }: { imported: Imported; show: ResultProps['show'] }) => {
  const context = { isTable: isTable(imported.report), show }
  return (
    <>
      <General notes={imported.report.notes} context={context} />
      <Questions imported={imported} context={context} />
    </>
  )
})

/** Refusal says why a source cannot be read, or why the server did not answer. */
function Refusal({ fault, retry }: { fault: Fault; retry(): void }) {
  const { code, detail } = fault.problem ?? {}
  if (code !== 'file_not_readable') return <FaultNote fault={fault} retry={retry} />
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>{text('import.notReadable')}</p>
        <p class="small">{detail}</p>
      </div>
    </div>
  )
}

function Nothing() {
  return (
    <Empty icon="assessments" title={text('import.nothing.title')}>
      {text('import.nothing.text')}
    </Empty>
  )
}
