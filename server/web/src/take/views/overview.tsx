// All questions of the stage with their state.
import { text } from '../../shared/i18n.tsx'
import { cameFrom, go, toQuestion } from '../route.ts'
import { kept, remember, stage } from '../session.ts'
import { stateOf } from '../states.ts'
import { Counts, Place } from './map.tsx'
import { Actions, Heading } from './page.tsx'

export function Overview() {
  return (
    <>
      <main class="page">
        <Heading>{text('overview.title')}</Heading>
        <Counts />
        <ol class="overview">
          {stage.value!.questions.map((question, i) => (
            <Place key={question.id} question={question} number={i + 1} inWords />
          ))}
        </ol>
        <p class="under">
          <OnePageChoice number={cameFrom()} />
        </p>
      </main>
      <Actions>
        <button type="button" class="button" onClick={() => go(toQuestion(cameFrom() ?? firstOpen() + 1))}>
          {text('question.back')}
        </button>
        <span class="grow" />
        <button type="button" class="button primary" onClick={() => go({ name: 'confirm' })}>
          {text('overview.submit')}
        </button>
      </Actions>
    </>
  )
}

// firstOpen is the position of the first question without an answer, or 0.
function firstOpen(): number {
  return Math.max(
    0,
    stage.value!.questions.findIndex((question) => stateOf(question) !== 'answered'),
  )
}

/** OnePageChoice lets the candidate choose between all questions on one page and one question on each. */
export function OnePageChoice({ number = 1 }: { number?: number | undefined }) {
  const isAll = kept.value!.allOnOnePage
  const toggle = () => {
    remember({ allOnOnePage: !isAll })
    go(isAll ? toQuestion(number) : { name: 'all' })
  }
  return (
    <button type="button" class="button quiet small" onClick={toggle}>
      {text(isAll ? 'all.one' : 'all.all')}
    </button>
  )
}
