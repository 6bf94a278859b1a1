// How many candidates have seen a question, and how they answered it, over all assessments.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { number, share } from '../core/figures.ts'
import { useQuery } from '../core/query.ts'
import { Empty, Loaded } from '../core/states.tsx'
import { Table, type Column } from '../core/table.tsx'
import { to } from '../core/url.ts'
import { every } from '../assessment/head.tsx'
import { enough } from '../assessment/scores.tsx'

type Use = Schemas['BankQuestionUse']
type Figures = Pick<Use, 'exposures' | 'answers' | 'correctShare' | 'pointsShare'>

export function Statistics({ id }: { id: string }) {
  const query = useQuery(
    `/v1/questions/${id}/statistics`,
    () => ask(v1.GET('/v1/questions/{id}/statistics', { params: { path: { id } } })),
    { every },
  )
  return (
    <Loaded query={query}>
      {(statistics) =>
        statistics.exposures === 0 && statistics.assessments.length === 0 ? (
          <Empty icon="candidates" title={text('bank.statistics.none')}>
            <p>{text('bank.statistics.none.text')}</p>
          </Empty>
        ) : (
          <>
            <Summary of={statistics} />
            <p class="hint" style={{ margin: 'var(--s3) 0 var(--s5)' }}>
              {text('bank.statistics.known')}
            </p>
            <section class="list">
              <Table
                caption={text('bank.statistics.assessments')}
                rows={statistics.assessments}
                columns={columns()}
                keyOf={(row) => row.assessmentId}
                hrefOf={(row) => to(`/assessments/${row.assessmentId}/questions`)}
              />
            </section>
          </>
        )
      }
    </Loaded>
  )
}

function Summary({ of: figures }: { of: Figures }) {
  const { exposures, answers } = figures
  return (
    <dl class="figures">
      <div>
        <dt>{text('bank.statistics.seen')}</dt>
        <dd class="value">{number(exposures)}</dd>
        <dd class="small muted">{text('bank.statistics.seen.hint')}</dd>
      </div>
      <div>
        <dt>{text('bank.statistics.answered')}</dt>
        <dd class="value">{number(answers)}</dd>
        <dd class="small muted">
          {exposures > 0 && text('bank.statistics.answered.share', { share: share(answers, exposures) })}
        </dd>
      </div>
      <div>
        <dt>{text('bank.statistics.correct')}</dt>
        <dd class="value">{shown(figures, 'correctShare')}</dd>
        <dd class="small muted">{few(figures) ?? text('bank.statistics.correct.hint')}</dd>
      </div>
      <div>
        <dt>{text('bank.statistics.points')}</dt>
        <dd class="value">{shown(figures, 'pointsShare')}</dd>
        <dd class="small muted">{few(figures) ?? text('bank.statistics.points.hint')}</dd>
      </div>
    </dl>
  )
}

/** A share of a few candidates says nothing. */
const few = ({ exposures }: Figures) =>
  exposures < enough ? text('bank.statistics.few', { enough }) : undefined

function shown(figures: Figures, name: 'correctShare' | 'pointsShare'): string {
  const value = figures[name]
  return value === null || figures.exposures < enough ? '–' : share(value, 100)
}

const columns = (): Column<Use>[] => [
  {
    id: 'assessment',
    label: text('bank.statistics.assessment'),
    cell: (row) => (
      <a href={to(`/assessments/${row.assessmentId}/questions`)}>{row.assessmentTitle || text('bank.untitled')}</a>
    ),
  },
  { id: 'seen', label: text('bank.statistics.seen'), isNumber: true, cell: (row) => number(row.exposures) },
  {
    id: 'answered',
    label: text('bank.statistics.answered'),
    isNumber: true,
    isMinor: true,
    cell: (row) => number(row.answers),
  },
  {
    id: 'correct',
    label: text('bank.statistics.correct'),
    isNumber: true,
    cell: (row) => shown(row, 'correctShare'),
  },
  {
    id: 'points',
    label: text('bank.statistics.points'),
    isNumber: true,
    isMinor: true,
    cell: (row) => shown(row, 'pointsShare'),
  },
]
