// Two to five candidates on one scale.
import { text } from '../../shared/i18n.tsx'
import { Page } from '../core/page.tsx'
import { Empty, Loaded } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import { to, useAddress } from '../core/url.ts'
import { Actions } from './actions.tsx'
import { Candidates } from './candidates.tsx'
import styles from './compare.css?text'
import { Note } from './note.tsx'
import { Questions } from './questions.tsx'
import { most, useRows, type Finished, type Row } from './rows.ts'
import { Stages } from './stages.tsx'

addStyles(styles)

export default function Screen() {
  const { query } = useAddress()
  const given = [...new Set((query.ids ?? '').split(',').filter(Boolean))]
  const ids = given.slice(0, most)
  const rows = useRows(ids)
  return (
    <Page
      title={text('compare.title')}
      crumbs={[{ label: text('nav.candidates'), href: to('/candidates') }]}
      actions={ids.length > 0 && <Actions ids={ids} rows={rows.data ?? []} />}
    >
      {ids.length === 0 ? (
        <None />
      ) : (
        <Loaded query={rows}>
          {(all) => (
            <>
              {given.length > most && <Note icon="info">{text('compare.cut', { most })}</Note>}
              <Compared rows={all} isHidden={query.names === 'hidden'} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

function None() {
  return (
    <Empty
      icon="candidates"
      title={text('compare.none.title')}
      action={
        <a class="button" href={to('/candidates')}>
          {text('compare.none.action')}
        </a>
      }
    >
      <p>{text('compare.none.text')}</p>
    </Empty>
  )
}

/** labelOf returns the name of a candidate, or a letter if names are hidden. */
function labelOf(row: Row, index: number, isHidden: boolean): string {
  if (isHidden) return text('compare.anonymous', { letter: String.fromCharCode(65 + index) })
  return row.name ?? text('compare.unknown')
}

function Compared({ rows, isHidden }: { rows: Row[]; isHidden: boolean }) {
  const labelled = rows.map((row, i) => ({ ...row, label: labelOf(row, i, isHidden) }))
  const finished = labelled.filter((row): row is Finished => row.result !== null)
  const groups = new Map<string, Finished[]>()
  for (const row of finished) {
    const { id } = row.result.assessment
    groups.set(id, [...(groups.get(id) ?? []), row])
  }
  return (
    <>
      {groups.size > 1 && (
        <Note icon="warning" kind="warn">
          {text('compare.different')}
        </Note>
      )}
      {rows.length === 1 && <Note icon="info">{text('compare.single')}</Note>}
      <Candidates rows={labelled} isHidden={isHidden} areDifferent={groups.size > 1} />
      {[...groups.values()].map((group) => (
        <Group key={group[0]!.result.assessment.id} group={group} isTitled={groups.size > 1} />
      ))}
    </>
  )
}

function Group({ group, isTitled }: { group: Finished[]; isTitled: boolean }) {
  const { title } = group[0]!.result.assessment
  return (
    <>
      {isTitled && <h2 class="compare-group">{title}</h2>}
      <Stages group={group} />
      <Questions group={group} />
    </>
  )
}
