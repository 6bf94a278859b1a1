// The revisions of a result: how the score changed, and whose decision changed it.
import type { ComponentChildren } from 'preact'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { score } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { outcomeWord } from '../core/verdict.ts'
import { questionsOf, useGrades, type Grade } from './decisions.ts'
import { Note } from './status_note.tsx'
import { useTimeline } from './timeline.tsx'

type Cause = Schemas['ResultCause']
type Revision = Schemas['ResultRevision']

interface Props {
  session: Schemas['CandidateSession']
  result: Schemas['Result']
}

/** History is for a result that is not the first one. */
export function History({ session, result }: Props) {
  const { id, assessmentId, updatedAt } = session
  const address = useAddress()
  const revisions = useQuery(`/v1/candidate-sessions/${id}/result/revisions ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/result/revisions', { params: { path: { id } } })),
  )
  const grades = useGrades(session)
  const corrections = useQuery(`/v1/assessments/${assessmentId}/corrections ${updatedAt}`, () =>
    ask(v1.GET('/v1/assessments/{id}/corrections', { params: { path: { id: assessmentId } } })),
  )
  const timeline = useTimeline(session)
  const known = {
    questions: questionsOf(result),
    grades: grades.data ?? [],
    corrections: corrections.data ?? [],
    reopenings: (timeline.data ?? []).filter(({ type }) => type === 'REOPENED'),
    rulings: (timeline.data ?? []).filter(({ type }) => type.startsWith('GATE_')),
    stages: new Map(result.stages.map(({ id, title }) => [id, title])),
    assessmentId,
  }
  return (
    <section class="card no-print" aria-labelledby="history">
      <h2 id="history">{text('candidate.history.title')}</h2>
      <Loaded query={revisions}>
        {(list) => (
          <ol class="revisions">
            {list.map((revision, i) => (
              <li key={revision.revision}>
                <p class="revision-head">
                  <b>{score(revision.score)}</b>
                  <span>{outcomeWord(revision)}</span>
                  <span class="grow" />
                  {revision.replacedAt === null ? (
                    <span class="muted small">{text('candidate.history.present')}</span>
                  ) : (
                    <a class="small" href={address.with({ revision: String(revision.revision), question: undefined })}>
                      {text('candidate.history.show')}
                    </a>
                  )}
                </p>
                {revision.replacedAt !== null && (
                  <p class="small muted">
                    {rich('candidate.history.until', { when: <When at={revision.replacedAt} /> })}
                  </p>
                )}
                {causesSince(revision, list[i + 1]).map((cause, at) => (
                  <p key={at} class="small">
                    <CauseWords cause={cause} {...known} />
                  </p>
                ))}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  )
}

/** causesSince returns the decisions that the earlier revision does not have. */
function causesSince({ corrections }: Revision, earlier: Revision | undefined): Cause[] {
  const isSame = (a: Cause, b: Cause) => a.cause === b.cause && a.id === b.id && a.at === b.at
  return corrections.filter((cause) => !earlier?.corrections.some((other) => isSame(cause, other)))
}

interface Known {
  questions: ReturnType<typeof questionsOf>
  grades: Grade[]
  corrections: Schemas['AssessmentCorrection'][]
  reopenings: Schemas['TimelineEntry'][]
  rulings: Schemas['TimelineEntry'][]
  /** The titles of the stages, by id. */
  stages: Map<string, string>
  assessmentId: string
}

function CauseWords({ cause, ...known }: { cause: Cause } & Known) {
  const { questions, grades, corrections, reopenings, rulings, stages, assessmentId } = known
  const { cause: kind, id, questionId, at } = cause
  const found = questionId ? questions.get(questionId) : undefined
  const question = found
    ? `${text('candidate.answers.number', { number: found.question.order })}, ${found.stage}`
    : ''
  const by = (name: string | null | undefined, reason: string | null | undefined): ComponentChildren => (
    <>
      {' · '}
      {rich('candidate.timeline.by', { when: <When at={at} isRelative />, name: name ?? '–' })}
      {reason && <span class="block muted">{text('candidate.timeline.reason', { reason })}</span>}
    </>
  )
  if (kind === 'CORRECTION') {
    const correction = corrections.find((one) => one.id === id)
    return (
      <>
        <a href={to(`/assessments/${assessmentId}/corrections`)}>{text('candidate.history.CORRECTION', { question })}</a>
        {by(correction?.createdBy.name, correction?.reason)}
      </>
    )
  }
  if (kind === 'GRADE') {
    const grade = grades.find((one) => one.questionId === questionId && one.createdAt === at)
    return (
      <>
        {text(grade?.answer ? 'candidate.history.late' : 'candidate.history.GRADE', { question })}
        {by(grade?.createdBy.name, grade?.reason)}
      </>
    )
  }
  if (kind === 'REOPENING') {
    const entry = reopenings.find((one) => one.at === at)
    return (
      <>
        {text('candidate.history.REOPENING')}
        {by(entry?.actor.name, entry?.reason)}
      </>
    )
  }
  const ruling = kind === 'RULING' ? rulings.find((one) => one.at === at) : undefined
  if (ruling) {
    const stage = (ruling.stageId && stages.get(ruling.stageId)) || '–'
    return (
      <>
        {text(ruling.type === 'GATE_PASSED' ? 'candidate.history.PASS' : 'candidate.history.STOP', { stage })}
        {by(ruling.actor.name, ruling.reason)}
      </>
    )
  }
  const key = `candidate.history.${kind}`
  return <>{hasText(key) ? text(key) : kind}</>
}

/** EarlierNote says that the screen shows a revision that is no longer current. */
export function EarlierNote({ present }: { present: string }) {
  return (
    <Note icon="clock" kind="warn">
      {rich('candidate.history.earlier', { present: <a href={present}>{text('candidate.history.toPresent')}</a> })}
    </Note>
  )
}
