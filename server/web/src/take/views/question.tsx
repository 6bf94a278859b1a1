// One question with its field.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { parseNumber, type Question } from '../answers.ts'
import { go, toQuestion } from '../route.ts'
import { edit, entries, keepTyped } from '../saver.ts'
import { kept, locked, remember, stage, taking } from '../session.ts'
import { readOnly } from '../tabs.ts'
import { Heading } from './page.tsx'

/** How long after the last key the page saves text, in milliseconds. */
const textDelay = 800

export function QuestionView({ number }: { number: number }) {
  const { order, title, questions } = stage.value!
  const question = questions[number - 1]!
  const isFlagged = kept.value!.flagged.includes(question.id)
  const toggleFlag = () => {
    const others = kept.value!.flagged.filter((id) => id !== question.id)
    remember({ flagged: isFlagged ? others : [...others, question.id] })
  }
  return (
    <>
      <main class="page">
        <p class="eyebrow">
          <span>{text('question.stage', { number: order, total: taking.value!.stages.length, title })}</span>
          <span>{text('points', { count: question.points })}</span>
        </p>
        <Heading id={question.id}>{text('question.number', { number, total: questions.length })}</Heading>
        <Field question={question} />
        <p class="under">
          <button type="button" class="button quiet small" aria-pressed={isFlagged} onClick={toggleFlag}>
            {isFlagged ? text('question.unflag') : text('question.flag')}
          </button>
          <button type="button" class="button quiet small" onClick={() => edit(question.id, null, 0)}>{text('question.clear')}</button>
        </p>
      </main>
      <footer class="actions">
        {number > 1 && <button type="button" class="button" onClick={() => go(toQuestion(number - 1))}>{text('question.back')}</button>}
        <span class="grow" />
        <button type="button" class="button quiet" onClick={() => go({ name: 'overview' })}>{text('question.overview')}</button>
        <button type="button" class="button primary"
          onClick={() => go(number < questions.length ? toQuestion(number + 1) : { name: 'overview' })}>
          {text('question.next')}
        </button>
      </footer>
    </>
  )
}

function Field({ question }: { question: Question }) {
  const entry = entries.value.get(question.id)
  const answer = entry?.answer
  const isLocked = locked.value || readOnly.value
  const prompt = <Html class="prompt prose" id={`prompt-${question.id}`} html={question.promptHtml} />
  switch (question.type) {
    case 'SINGLE_CHOICE':
    case 'MULTIPLE_CHOICE': {
      const isSingle = question.type === 'SINGLE_CHOICE'
      const chosen = isSingle ? [answer?.optionId] : (answer?.optionIds ?? [])
      const choose = (id: string, isOn: boolean) => {
        if (isSingle) return edit(question.id, { optionId: id }, 0)
        const ids = (question.options ?? []).map((option) => option.id).filter((other) => (other === id ? isOn : chosen.includes(other)))
        edit(question.id, ids.length > 0 ? { optionIds: ids } : null, 0)
      }
      return (
        <fieldset disabled={isLocked} aria-describedby={`hint-${question.id}`}>
          <legend>{prompt}</legend>
          <p id={`hint-${question.id}`} class="hint">
            {isSingle ? text('question.chooseOne') : text('question.chooseSome', { count: question.options?.length ?? 0 })}
          </p>
          {(question.options ?? []).map((option) => (
            <label class="option" key={option.id}>
              <input type={isSingle ? 'radio' : 'checkbox'} name={question.id} checked={chosen.includes(option.id)}
                onChange={(event) => choose(option.id, event.currentTarget.checked)} />
              <Html html={option.textHtml} />
            </label>
          ))}
        </fieldset>
      )
    }
    case 'NUMERIC': {
      const input = (typed: string) => {
        const number = parseNumber(typed)
        if (number !== undefined) edit(question.id, { number }, textDelay, typed)
        else if (typed === '') edit(question.id, null, textDelay)
        else keepTyped(question.id, typed)
      }
      return (
        <fieldset disabled={isLocked}>
          <legend>{prompt}</legend>
          <input class="field" inputMode="decimal" autocomplete="off" value={entry?.typed ?? answer?.number?.toString() ?? ''}
            aria-labelledby={`prompt-${question.id}`} onInput={(event) => input(event.currentTarget.value)} />
        </fieldset>
      )
    }
    default:
      return (
        <fieldset disabled={isLocked}>
          <legend>{prompt}</legend>
          <textarea class="field" rows={4} maxLength={2000} value={answer?.text ?? ''} aria-labelledby={`prompt-${question.id}`}
            onInput={(event) => edit(question.id, event.currentTarget.value ? { text: event.currentTarget.value } : null, textDelay)} />
        </fieldset>
      )
  }
}
