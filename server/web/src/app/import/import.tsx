// Questions from pasted text or a file become a draft.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { dropDraft, useDraft } from '../core/drafts.ts'
import { Form, TextField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { Page } from '../core/page.tsx'
import { forget } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { to, useAddress } from '../core/url.ts'
import { assemble, sizeOf } from './assemble.ts'
import { Columns } from './columns.tsx'
import type { Role, Sheet } from './csv.ts'
import { limits, type Imported } from './draft.ts'
import { parseGift } from './gift.ts'
import { parseLines } from './paste.ts'
import { Report, Understood } from './result.tsx'
import { kindOf, readFile, titleOf, type Kind } from './source.ts'

type Table = { sheet: Sheet; columns: Role[]; module: typeof import('./csv.ts') }

export default function Screen() {
  const kept = useDraft('source', () => ({ text: '', name: '' }))
  const { value: source, set: setSource } = kept
  const [problem, setProblem] = useState<string>()
  const kind = kindOf(source.text, source.name)
  const [table, setTable] = useTable(kind === 'csv' ? source.text : '', () => setProblem(text('import.file.code')))
  const imported = useMemo(() => read(kind, source, table), [kind, source, table])
  const open = async (file: File) => {
    const found = await readFile(file)
    if ('problem' in found) return setProblem(text(`import.file.${found.problem}`))
    setProblem(undefined)
    dropDraft('title') // the new file proposes one
    setSource({ text: found.text, name: file.name })
  }
  const discard = () => {
    dropDraft('title')
    kept.drop()
  }
  const crumbs = [
    { label: text('nav.assessments'), href: to('/assessments') },
    { label: text('import.new'), href: to('/assessments/new') },
  ]
  return (
    <Page title={text('import.title')} crumbs={crumbs}>
      <div class="import">
        <section class="card import-source">
          {kept.isBack && <DraftNote discard={discard} />}
          <FileField name={source.name} open={(file) => void open(file)} />
          {problem && (
            <p class="error" role="alert">
              {problem}
            </p>
          )}
          <PastedText
            value={source.text}
            change={(value) => setSource({ text: value, name: value ? source.name : '' })}
          />
          <Help />
        </section>
        <div class="import-result" aria-live="polite">
          {imported ? (
            <>
              {table && (
                <Columns
                  sheet={table.sheet}
                  columns={table.columns}
                  change={(columns) => setTable({ ...table, columns })}
                />
              )}
              <Understood imported={imported} kind={kind} />
              <Report faults={imported.faults} />
            </>
          ) : (
            <Nothing />
          )}
        </div>
        {imported && imported.draft.stages!.length > 0 && (
          <Create key={source.name} imported={imported} title={titleOf(source.name)} created={kept.forget} />
        )}
      </div>
    </Page>
  )
}

const titles = () => ({ title: '', stage: text('import.stage') })

function read(kind: Kind, source: { text: string }, table: Table | undefined): Imported | undefined {
  if (source.text.trim() === '') return undefined
  if (kind === 'gift') return parseGift(source.text, titles())
  if (kind === 'csv') return table?.module.fromSheet(table.sheet, table.columns, titles())
  const { questions, lines, faults } = parseLines(source.text)
  return assemble(
    titles(),
    questions.map((question, i) => ({ question, line: lines[i]! })),
    faults,
  )
}

/** useTable reads a table. The code for it is loaded with the first table. */
function useTable(csv: string, failed: () => void): [Table | undefined, (table: Table) => void] {
  const [table, setTable] = useState<Table>()
  useEffect(() => {
    if (csv === '') return setTable(undefined)
    let isCurrent = true
    import('./csv.ts').then((module) => {
      if (!isCurrent) return
      const sheet = module.readSheet(csv)
      setTable({ sheet, columns: module.matchColumns(sheet.headers), module })
    }, failed)
    return () => {
      isCurrent = false
    }
  }, [csv])
  return [table, setTable]
}

function FileField({ name, open }: { name: string; open(file: File): void }) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer?.files[0]
    if (file) open(file)
  }
  return (
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
        <b>{name || text('import.file.choose')}</b>
        <span class="small muted">{text('import.file.kinds')}</span>
      </span>
      <input
        type="file"
        class="unseen"
        accept=".csv,.tsv,.txt,.gift,text/plain,text/csv"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) open(file)
          event.currentTarget.value = '' // the same file can be opened again after a change
        }}
      />
    </label>
  )
}

function PastedText({ value, change }: { value: string; change(value: string): void }) {
  return (
    <div class="form-row">
      <label for="import-text">{text('import.paste.label')}</label>
      <textarea
        id="import-text"
        class="field import-text"
        rows={14}
        spellcheck={false}
        value={value}
        placeholder={text('import.paste.example')}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  )
}

function Help() {
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
        <li>{text('import.help.gift')}</li>
      </ul>
    </details>
  )
}

function Nothing() {
  return (
    <div class="empty-state">
      <Icon name="assessments" />
      <h2>{text('import.nothing.title')}</h2>
      <p class="muted">{text('import.nothing.text')}</p>
    </div>
  )
}

interface CreateProps {
  imported: Imported
  title: string
  created(): void
}

function Create({ imported, title: proposed, created }: CreateProps) {
  const { go } = useAddress()
  const [title, setTitle] = useState(proposed)
  const draft = { ...imported.draft, repeatRule: 'ASK' as const, title: title.replace(/\s+/g, ' ').trim() }
  const isTooLarge = sizeOf(draft) > limits.body
  const reason = needs('EDITOR') ?? (isTooLarge ? text('import.reason.tooLarge') : undefined)
  return (
    <section class="card import-create">
      <Form
        draft="title"
        label={text('import.create')}
        busyLabel={text('import.busy')}
        reason={reason}
        check={(): Record<string, string> => (draft.title ? {} : { '/title': text('import.titleRequired') })}
        send={(key) =>
          ask(v1.POST('/v1/assessments', { params: { header: { 'Idempotency-Key': key } }, body: draft }))
        }
        done={({ id }) => {
          created()
          forget('/v1/')
          go(to(`/assessments/${id}/edit`))
        }}
      >
        <TextField
          label={text('import.titleLabel')}
          hint={text('import.titleHint')}
          pointer="/title"
          value={title}
          change={setTitle}
          maxLength={limits.title}
        />
      </Form>
    </section>
  )
}
