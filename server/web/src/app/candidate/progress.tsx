// How far a candidate in progress is.
import { useEffect, useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { duration } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { Meter } from './bars.tsx'

type Progress = Schemas['SessionProgress']

export const progressEvery = 10_000

export function ProgressCard({ id, ended }: { id: string; ended(): void }) {
  const query = useQuery(
    `/v1/candidate-sessions/${id}/progress`,
    () => ask(v1.GET('/v1/candidate-sessions/{id}/progress', { params: { path: { id } } })),
    { every: progressEvery },
  )
  const status = query.data?.status
  useEffect(() => {
    if (status && status !== 'IN_PROGRESS') ended()
  }, [status])
  return (
    <section class="card">
      <h2>{text('candidate.progress.title')}</h2>
      <Loaded query={query}>{(progress) => <Content progress={progress} />}</Loaded>
    </section>
  )
}

function Content({ progress }: { progress: Progress }) {
  const { answeredCount, questionCount, lastSavedAt, deadlineAt, stages } = progress
  return (
    <>
      <p class="muted">
        {text('candidate.progress.answered', { answered: answeredCount, count: questionCount })}{' '}
        {lastSavedAt && rich('candidate.progress.saved', { when: <When at={lastSavedAt} isRelative /> })}
      </p>
      {deadlineAt && <Left until={deadlineAt} />}
      <div class="meters">
        {stages.map((stage) => (
          <Meter
            key={stage.id}
            label={stage.title}
            figure={text('candidate.progress.count', { answered: stage.answeredCount, questions: stage.questionCount })}
            value={stage.questionCount === 0 ? 0 : (100 * stage.answeredCount) / stage.questionCount}
          >
            <StageState stage={stage} />
          </Meter>
        ))}
      </div>
    </>
  )
}

function StageState({ stage }: { stage: Schemas['StageProgress'] }) {
  if (stage.endedAt) return <>{rich('candidate.progress.ended', { when: <When at={stage.endedAt} isRelative /> })}</>
  if (stage.startedAt)
    return <>{rich('candidate.progress.started', { when: <When at={stage.startedAt} isRelative /> })}</>
  return <>{text(stage.status === 'READY' ? 'candidate.progress.ready' : 'candidate.progress.later')}</>
}

/** Left is the remaining time, which counts down. */
function Left({ until }: { until: string }) {
  const [, update] = useState({})
  useEffect(() => {
    const timer = setInterval(() => update({}), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, (Date.parse(until) - Date.now()) / 1000)
  return (
    <p class="candidate-left">
      {seconds > 0
        ? text('candidate.progress.left', { time: duration(seconds, 'down') })
        : text('candidate.progress.over')}
    </p>
  )
}
