// What a session in review waits for: the decision about a gate, or grades.
import { useEffect, useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { Answers, type Keys } from '../candidate/answers.tsx'
import { Meter } from '../candidate/bars.tsx'
import { useGrades } from '../candidate/decisions.ts'
import { AnswerPoints } from '../candidate/grade.tsx'
import type { Schemas } from '../core/api.ts'
import { score } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { Action } from '../core/page.tsx'
import { Loaded } from '../core/states.tsx'
import { isBelow, stageWords } from '../core/verdict.ts'
import { Grading } from './grading.tsx'
import { useOpenDecision, type OpenDecision } from './open.ts'
import { RulingDialog, type Decision } from './ruling.tsx'
import { Rulings } from './ruled.tsx'

type Session = Schemas['CandidateSession']
export type Stage = Schemas['ResultStage']

interface Props {
  session: Session
  assessment: Schemas['AssessmentDetail'] | undefined
  /** Shows the session after a decision. */
  done(session: Session): void
  reload(): void
}

export function DecisionCard({ session, assessment, done, reload }: Props) {
  const query = useOpenDecision(session)
  const grades = useGrades(session)
  const waitsFor = query.isStale ? undefined : query.data?.waitsFor
  useEffect(() => {
    // Somebody has decided meanwhile.
    if (waitsFor === null) reload()
  }, [waitsFor])
  const keys: Keys = new Map(
    assessment?.stages.flatMap(({ questions }) => questions).map((question) => [question.id, question]),
  )
  const gradeOf = (id: string) => grades.data?.find(({ questionId }) => questionId === id)
  return (
    <Loaded query={query}>
      {(decision) => (
        <>
          {decision.waitsFor === 'RULING' ? (
            <Gate session={session} decision={decision} done={done} />
          ) : (
            <Grading {...{ session, decision, keys, gradeOf, reload }} lang={assessment?.locale} />
          )}
          <Rulings decision={decision} />
          <Answers
            result={decision}
            openStage={decision.stageId}
            keys={keys}
            lang={assessment?.locale}
            isErased={false}
            beside={(question) =>
              question.scoredBy !== 'PENDING' && (
                <AnswerPoints
                  sessionId={session.id}
                  question={question}
                  fullKey={keys.get(question.id)}
                  grade={gradeOf(question.id)}
                  changed={reload}
                />
              )
            }
          />
        </>
      )}
    </Loaded>
  )
}

/** Gate is a failed gate, its rule, and the two ways on. */
function Gate({ session, decision, done }: Pick<Props, 'session' | 'done'> & { decision: OpenDecision }) {
  const [open, setOpen] = useState<Decision>()
  const index = decision.stages.findIndex(({ id }) => id === decision.stageId)
  const stage = decision.stages[index]
  if (!stage?.gate) return null
  const figures = { score: score(stage.score ?? 0), gate: score(stage.gate.minScore) }
  return (
    <section class="card decision" aria-labelledby="decision">
      <h2 id="decision">{text('decision.gate.title')}</h2>
      <p>
        {rich('decision.gate.because', { stage: stage.title, since: <Since decision={decision} /> }, figures)}
      </p>
      <div class="meters">
        <Meter
          label={stage.title}
          figure={figures.score}
          value={stage.score}
          mark={stage.gate.minScore}
          isBelow={isBelow(stage)}
        >
          {stageWords(stage)}
        </Meter>
      </div>
      <p class="small muted">{text('decision.gate.rule', figures)}</p>
      <div class="go">
        <Action kind="primary" act={() => setOpen('PASS')}>
          {text(decision.candidateGoesOn ? 'decision.pass' : 'decision.count')}
        </Action>
        <Action act={() => setOpen('STOP')}>{text('decision.stop')}</Action>
      </div>
      {open && (
        <RulingDialog
          session={session}
          stage={stage}
          next={decision.candidateGoesOn ? decision.stages[index + 1] : undefined}
          decision={open}
          done={done}
          close={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

/** Since is when the answers came in. */
export function Since({ decision: { since } }: { decision: OpenDecision }) {
  return since ? <When at={since} isRelative /> : null
}
