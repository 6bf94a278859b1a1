// The questions of the stage with their states: beside the question on wide screens, and in the overview.
import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { contentLanguage, list, text } from '../../shared/i18n.tsx'
import type { Question } from '../answers.ts'
import { fragment, go, toQuestion, view } from '../route.ts'
import { stage } from '../session.ts'
import { isFlagged, stateOf } from '../states.ts'

/**
 * QuestionMap is the map beside the question. It takes no properties, so that the next question does
 * not render it again.
 */
export function QuestionMap() {
  return (
    <nav class="beside" aria-labelledby="map">
      <h2 id="map">{text('map.title')}</h2>
      <ol class="map">
        {stage.value!.questions.map((question, i) => (
          <Place key={question.id} question={question} number={i + 1} />
        ))}
      </ol>
      <Counts />
    </nav>
  )
}

interface PlaceProps {
  question: Question
  number: number
  /** Whether the states are visible as words. */
  inWords?: boolean
}

/** Place is the link to a question. It renders again only if its state changes, because a stage can have 500. */
export function Place({ question, number, inWords }: PlaceProps) {
  const state = useComputed(() => stateOf(question)).value
  const flagged = useComputed(() => isFlagged(question)).value
  const isHere = useComputed(() => !inWords && view.value.name === 'question' && view.value.number === number).value
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isHere) place.current!.scrollIntoView({ block: 'nearest' }) // in the map, which can be longer than the screen
  }, [isHere])
  const total = stage.value!.questions.length
  const to = toQuestion(number)
  const jump = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  const words = [
    text('question.number', { number, total }),
    text(`state.${state}`),
    ...(flagged ? [text('state.flagged')] : []),
  ]
  return (
    <li ref={place}>
      <a
        href={fragment(to)}
        class={`place ${state} ${flagged ? 'flagged' : ''}`}
        aria-current={isHere ? 'step' : undefined}
        onClick={jump}
        aria-label={inWords ? undefined : list(words)}
      >
        {inWords
          ? words.map((word, i) =>
              i === 0 ? (
                <span key={i} class="grow">
                  {word}{' '}
                  <span class="about" dir="auto" lang={contentLanguage.value}>
                    {beginning(question)}
                  </span>
                </span>
              ) : (
                [
                  ' ',
                  <span key={i} class={`tag ${i === 2 ? 'flagged' : state}`}>
                    {word}
                  </span>,
                ]
              ),
            )
          : number}
      </a>
    </li>
  )
}

// beginning is the first line of the prompt, without its Markdown.
function beginning({ prompt }: Question): string {
  const [line = ''] = prompt
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>]/g, '')
    .trim()
    .split('\n')
  return line.length > 90 ? `${line.slice(0, 88).trimEnd()}…` : line
}

/** Counts says how many questions are in each state. */
export function Counts() {
  const counts = useComputed(() => {
    const { questions } = stage.value!
    const count = (state: string) => questions.filter((question) => stateOf(question) === state).length
    const flagged = questions.filter(isFlagged).length
    return [count('answered'), count('unanswered'), count('unsaved'), flagged].join()
  })
    .value.split(',')
    .map(Number)
  const lines = ['map.answered', 'map.unanswered', 'map.unsaved', 'map.flagged'] as const
  return (
    <ul class="counts">
      {lines.map((line, i) => (i < 2 || counts[i]! > 0) && <li key={line}>{text(line, { count: counts[i]! })}</li>)}
    </ul>
  )
}
