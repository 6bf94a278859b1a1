// Step 2: what the correction would change, and for whom.
import { text } from '../../shared/i18n.tsx'
import { AsTable } from '../core/as_table.tsx'
import { ask, v1 } from '../core/api.ts'
import { number } from '../core/figures.ts'
import { Form } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { forget, useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { binRange } from '../core/verdict.ts'
import { Crossings } from './crossings.tsx'
import { preview, previewKey, type Body, type Effect } from './draft.ts'
import { BeforeAfter } from './histogram.tsx'
import { StepTitle, type StepProps } from './step.tsx'
import { correctionWords, type Correction } from './words.ts'

interface Props extends StepProps {
  body: Body
  back(): void
  applied(correction: Correction): void
}

export function EffectStep({ assessment, question, draft, body, back, applied }: Props) {
  const { id, passingScore } = assessment
  const query = useQuery(previewKey(id, body), () => preview(id, body))
  const send = () =>
    ask(
      v1.POST('/v1/assessments/{id}/corrections', {
        params: { path: { id }, header: { 'Idempotency-Key': draft.idempotencyKey } },
        body,
      }),
    )
  const done = (correction: Correction) => {
    forget(`/v1/assessments/${id}`)
    applied(correction)
  }
  return (
    <section class="card">
      <StepTitle>{text('correction.step.effect')}</StepTitle>
      <dl class="facts-list correction-summary">
        <dt>{text('correction.action')}</dt>
        <dd>{correctionWords(question, body)}</dd>
        <dt>{text('correction.reason')}</dt>
        <dd>{body.reason}</dd>
        <dt>{text('correction.policy')}</dt>
        <dd>{text(`correction.policy.${draft.policy}`)}</dd>
      </dl>
      <p>
        <button type="button" class="button small" onClick={back}>
          {text('correction.change')}
        </button>
      </p>
      <Loaded query={query} skeleton={<p role="status">{text('correction.examining')}</p>}>
        {(effect) => (
          <>
            <Changes effect={effect} passingScore={passingScore} />
            <Form
              draft={undefined}
              label={text('correction.apply')}
              busyLabel={text('correction.applying')}
              send={send}
              done={done}
              actions={
                <button type="button" class="button" onClick={back}>
                  {text('correction.back')}
                </button>
              }
            >
              <p class="small muted">{text('correction.apply.text')}</p>
            </Form>
          </>
        )}
      </Loaded>
    </section>
  )
}

function Changes({ effect, passingScore }: { effect: Effect; passingScore: number | null }) {
  const { examined, changed, exact, scoresBefore, scoresAfter } = effect
  const width = 100 / scoresBefore.length
  const bins = scoresBefore.map((before, i) => ({
    from: width * i,
    to: width * (i + 1),
    before,
    after: scoresAfter[i] ?? 0,
  }))
  return (
    <>
      <p class="correction-changes">
        {changed === 0
          ? text('correction.effect.none', { count: examined })
          : text('correction.effect', { count: changed, total: number(examined) })}
      </p>
      {!exact && (
        <div class="note warn">
          <Icon name="info" />
          <p>{text('correction.effect.notExact', { count: examined })}</p>
        </div>
      )}
      {examined > 0 && (
        <>
          <h3>{text('correction.scores')}</h3>
          <BeforeAfter bins={bins} mark={passingScore} />
          <AsTable
            caption={text('correction.scores')}
            columns={[text('assessment.scores.range'), text('correction.before'), text('correction.after')]}
            rows={bins.map((bin) => [binRange(bin), number(bin.before), number(bin.after)])}
          />
        </>
      )}
      <Crossings effect={effect} hasPassingScore={passingScore !== null} />
    </>
  )
}
