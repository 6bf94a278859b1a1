// The stages of a result as bars against their gates, with a mark for each question.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { score } from '../core/figures.ts'
import { useAddress } from '../core/url.ts'
import { isBelow, stageWords } from '../core/verdict.ts'
import { OutcomeIcon, outcomeOf } from './answers.tsx'
import { Meter } from './bars.tsx'

export function Stages({ result }: { result: Schemas['Result'] }) {
  return (
    <section class="card">
      <h2>{text('candidate.stages.title')}</h2>
      <p class="muted no-print">{text('candidate.stages.text')}</p>
      <div class="meters">
        {result.stages.map((stage) => (
          <div key={stage.id} class="candidate-stage">
            <Meter
              label={stage.title}
              figure={stage.score === null ? '–' : score(stage.score)}
              value={stage.score}
              mark={stage.gate?.minScore}
              isBelow={isBelow(stage)}
            >
              {stageWords(stage)}
            </Meter>
            {stage.status !== 'NOT_REACHED' && <Marks questions={stage.questions} />}
          </div>
        ))}
      </div>
    </section>
  )
}

/** Marks has a link for each question, so that wrong answers are one press away. */
function Marks({ questions }: { questions: Schemas['ResultQuestion'][] }) {
  const address = useAddress()
  return (
    <ol class="marks no-print">
      {questions.map((question) => (
        <li key={question.id}>
          <a
            class={outcomeOf(question)}
            href={address.with({ question: question.id, answers: undefined })}
            title={question.prompt}
          >
            <OutcomeIcon outcome={outcomeOf(question)} />
            <span class="small">{question.order}</span>
          </a>
        </li>
      ))}
    </ol>
  )
}
