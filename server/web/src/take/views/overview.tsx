// All questions of the stage with their state.
import { text } from '../../shared/i18n.tsx'
import { isAnswered } from '../answers.ts'
import { go, toQuestion } from '../route.ts'
import { entries } from '../saver.ts'
import { stage } from '../session.ts'
import { Actions, Heading } from './page.tsx'

export function Overview() {
  const { questions } = stage.value!
  return (
    <>
      <main class="page">
      <Heading>{text('overview.title')}</Heading>
      <ol class="map">
        {questions.map((question, i) => (
          <li key={question.id}>
            <a href={`#q${i + 1}`} class={isAnswered(entries.value.get(question.id)?.answer) ? 'done' : ''}
              onClick={(event) => { event.preventDefault(); go(toQuestion(i + 1)) }}>
              {text('question.number', { number: i + 1, total: questions.length })}
            </a>
          </li>
        ))}
      </ol>
      </main>
      <Actions>
        <span class="grow" />
        <button type="button" class="button primary" onClick={() => go({ name: 'confirm' })}>{text('overview.submit')}</button>
      </Actions>
    </>
  )
}
