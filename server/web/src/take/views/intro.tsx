// What the candidate reads before the start.
import { useState } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { start, taking } from '../session.ts'
import { Action, ActionProblem, Heading, Sheet } from './page.tsx'

export function Intro() {
  const { organization, assessment, candidate, stages, timeLimitMinutes } = taking.value!
  const [acknowledged, setAcknowledged] = useState(false)
  return (
    <Sheet>
      <p class="muted">{text('intro.invites', { organization: organization.name, name: candidate.name })}</p>
      <Heading>{assessment.title}</Heading>
      {assessment.instructionsHtml && <Html class="prose" html={assessment.instructionsHtml} />}
      <section>
        <h2>{text('intro.expect')}</h2>
        <ol class="stages">
          {stages.map((stage) => (
            <li key={stage.id}>
              <span class="n">{stage.order}</span> <b>{stage.title}</b>
              <span class="t">
                {text('questions', { count: stage.questionCount })},{' '}
                {stage.timeLimitMinutes ? text('minutes', { count: stage.timeLimitMinutes }) : text('noLimit')}
              </span>
            </li>
          ))}
        </ol>
      </section>
      {organization.acknowledgementRequired && (
        <label class="tick">
          <input type="checkbox" checked={acknowledged} onChange={(event) => setAcknowledged(event.currentTarget.checked)} />
          {text('intro.acknowledge')}
        </label>
      )}
      <ActionProblem />
      <p class="go">
        <Action primary disabled={organization.acknowledgementRequired && !acknowledged}
          label={timeLimitMinutes ? text('intro.start.minutes', { count: timeLimitMinutes }) : text('intro.start')}
          act={() => void start(acknowledged)} />
      </p>
    </Sheet>
  )
}
