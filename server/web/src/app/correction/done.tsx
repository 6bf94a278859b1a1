// Step 3: the correction is being applied, or has been applied.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { Loaded } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { Progress, useCorrections } from './progress.tsx'
import { StepTitle } from './step.tsx'

export function DoneStep({ assessment, correctionId }: { assessment: Schemas['AssessmentDetail']; correctionId: string }) {
  const { query } = useCorrections(assessment.id)
  return (
    <section class="card">
      <StepTitle>{text('correction.step.apply')}</StepTitle>
      <Loaded query={query}>
        {(corrections) => {
          const correction = corrections.find(({ id }) => id === correctionId)
          if (!correction) return <p>{text('problem.not_found')}</p>
          return (
            <>
              <p>{text(correction.appliedAt ? 'correction.done' : 'correction.leave')}</p>
              <Progress correction={correction} />
            </>
          )
        }}
      </Loaded>
      <div class="go">
        <a class="button primary" href={to(`/assessments/${assessment.id}/corrections`)}>
          {text('correction.all')}
        </a>
        <a class="button" href={to(`/assessments/${assessment.id}/questions`)}>
          {text('correction.choose')}
        </a>
      </div>
    </section>
  )
}
