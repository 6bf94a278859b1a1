// All questions of the stage on one page, for candidates who prefer that.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import type { Question } from '../answers.ts'
import { go, toQuestion } from '../route.ts'
import { stage, taking } from '../session.ts'
import { OnePageChoice } from './overview.tsx'
import { Actions, Heading, Theirs } from './page.tsx'
import { QuestionBody } from './question.tsx'

/** How many questions appear at once. 500 would block a slow device for seconds. */
const step = 10

/** AllQuestions begins at the question with the number, or at the top without one. */
export function AllQuestions({ number }: { number: number | undefined }) {
  const { order, title, questions } = stage.value!
  const list = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(step)
  useEffect(() => {
    if (shown >= questions.length) return
    const timer = setTimeout(() => setShown(shown + step))
    return () => clearTimeout(timer)
  }, [shown])
  useLayoutEffect(() => {
    const section = number === undefined ? undefined : list.current!.children[number - 1]
    if (!section || section.contains(document.activeElement)) return
    section.querySelector('h2')!.focus({ preventScroll: true })
    section.scrollIntoView()
  }, [number, number !== undefined && number <= shown])
  return (
    <>
      <main class="page">
        <p class="eyebrow">
          <span>
            {rich(
              'question.stage',
              { title: <Theirs>{title}</Theirs> },
              { number: order, total: taking.value!.stages.length },
            )}
          </span>
        </p>
        <Heading isQuiet={number !== undefined}>{text('all.title', { count: questions.length })}</Heading>
        <p class="under">
          <OnePageChoice number={number} />
        </p>
        <div ref={list}>
          {questions.slice(0, shown).map((question, i) => (
            <Section key={question.id} question={question} number={i + 1} isHere={i + 1 === number} />
          ))}
        </div>
      </main>
      <Actions>
        <span class="grow" />
        <button type="button" class="button primary" onClick={() => go({ name: 'overview' })}>
          {text('question.overview')}
        </button>
      </Actions>
    </>
  )
}

function Section({ question, number, isHere }: { question: Question; number: number; isHere: boolean }) {
  const id = `h-${question.id}`
  // The fragment follows the focus, so that a reload comes back to the same question.
  const here = () => {
    if (!isHere) go(toQuestion(number), { replace: true })
  }
  return (
    <section class="one" aria-labelledby={id} onFocusIn={here}>
      <div class="eyebrow">
        <h2 id={id} tabIndex={-1}>
          {text('question.number', { number, total: stage.value!.questions.length })}
        </h2>
        <span>{text('points', { count: question.points })}</span>
      </div>
      <QuestionBody question={question} />
    </section>
  )
}
