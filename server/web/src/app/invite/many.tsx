// Invites many candidates: a table comes in, its columns are matched, and its rows are checked and sent.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { EmailChoice, sendsByDefault, type Assessment } from './email_choice.tsx'
import { matchColumns, rowsOf, type Match, type Row } from './columns.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { Columns } from './column_choice.tsx'
import type { Job } from './job.ts'
import { Preview } from './preview.tsx'
import { Sending } from './sending.tsx'
import { Source } from './source.tsx'
import type { Cells } from './sheet.ts'

/** What was loaded. The tab keeps it, also for another assessment. */
interface Table {
  cells: Cells
  match: Match
  /** The rows after changes by hand. Another choice of columns makes other rows. */
  rows?: Row[]
  /** Where the rows come from: the name of a file, or nothing for pasted text. */
  name: string | undefined
}

export function Many({ assessment }: { assessment: Assessment }) {
  const draft = useDraft<Table | null>('table', () => null)
  const table = draft.value
  const [sendEmail, setSendEmail] = useState(sendsByDefault)
  const [job, setJob] = useState<Job>()
  const restart = () => {
    draft.drop()
    setJob(undefined)
  }
  if (job) return <Sending job={job} again={restart} />
  if (!table) {
    const take = (cells: Cells, name?: string) => draft.set({ cells, name, match: matchColumns(cells) })
    return <Source take={take} />
  }
  const { cells, name, match } = table
  const rows = table.rows ?? rowsOf(cells, match)
  const { columns } = match
  const start = (started: Job) => {
    draft.forget()
    setJob(started)
  }
  const isMatched = columns.includes('email') && columns.some((kind) => kind === 'name' || kind === 'firstName' || kind === 'lastName')
  return (
    <>
      {draft.isBack && <DraftNote discard={restart} />}
      <Columns
        cells={cells}
        name={name}
        match={match}
        change={(next) => draft.set({ cells, name, match: next })}
        restart={restart}
      />
      {isMatched && rows.length > 0 && (
        <>
          <section class="card invite-email">
            <EmailChoice assessment={assessment} isChecked={sendEmail} isMany change={setSendEmail} />
          </section>
          <Preview
            // Another choice of columns makes other rows.
            key={JSON.stringify(match)}
            rows={rows}
            settings={{ assessmentId: assessment.id, sendEmail }}
            title={assessment.title}
            edited={(next) => draft.set({ ...table, rows: next })}
            start={start}
          />
        </>
      )}
      {isMatched && rows.length === 0 && <p class="muted">{text('invite.noRows')}</p>}
    </>
  )
}
