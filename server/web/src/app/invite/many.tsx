// Invites many candidates: a table comes in, its columns are matched, and its rows are checked and sent.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { EmailChoice, sendsByDefault, type Assessment } from './email_choice.tsx'
import { matchColumns, rowsOf, type Match } from './columns.ts'
import { Columns } from './column_choice.tsx'
import type { Job } from './job.ts'
import { Preview } from './preview.tsx'
import { Sending } from './sending.tsx'
import { Source } from './source.tsx'
import type { Cells } from './sheet.ts'

interface Table {
  cells: Cells
  /** Where the rows come from: the name of a file, or nothing for pasted text. */
  name: string | undefined
}

export const maxRows = 5000

export function Many({ assessment }: { assessment: Assessment }) {
  const [table, setTable] = useState<Table>()
  const [match, setMatch] = useState<Match>()
  const [sendEmail, setSendEmail] = useState(sendsByDefault)
  const [job, setJob] = useState<Job>()
  const restart = () => {
    setTable(undefined)
    setJob(undefined)
  }
  if (job) return <Sending job={job} again={restart} />
  if (!table || !match) {
    const take = (cells: Cells, name?: string) => {
      setMatch(matchColumns(cells))
      setTable({ cells, name })
    }
    return <Source take={take} />
  }
  const rows = rowsOf(table.cells, match)
  const { columns } = match
  const isMatched = columns.includes('email') && columns.some((kind) => kind === 'name' || kind === 'firstName' || kind === 'lastName')
  return (
    <>
      <Columns cells={table.cells} name={table.name} match={match} change={setMatch} restart={restart} />
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
            start={setJob}
          />
        </>
      )}
      {isMatched && rows.length === 0 && <p class="muted">{text('invite.noRows')}</p>}
    </>
  )
}
