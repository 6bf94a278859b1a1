// The field of a question. It knows nothing about saving, so that practice questions use it too.
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { Html } from '../../shared/html.tsx'
import { formatter, language, text } from '../../shared/i18n.tsx'
import { readText, type Question, type QuestionType } from '../answers.ts'
import type { Answer } from '../database.ts'
import type { Writing, writing as Make } from '../writing.ts'
import address from '../writing.ts?url'
import { plainNumber, readNumber } from '../numbers.ts'

/** What a field shows: an answer, and what the candidate typed if that is something else. */
export interface Value {
  answer: Answer | null
  typed?: string | undefined
}

/** A change of a field. Without an answer, `typed` is an entry that cannot be an answer, such as "1e". */
export interface Change {
  answer?: Answer | null
  typed?: string
}

export interface FieldProps {
  question: Pick<Question, 'id' | 'type' | 'prompt' | 'promptHtml' | 'options'> &
    Partial<Pick<Question, 'textMatching' | 'maxWords'>>
  value: Value
  onChange(change: Change): void
  disabled: boolean
}

/** Field is the prompt of a question, and the field for its type. */
export function Field(props: FieldProps) {
  const { question } = props
  const Entry = entries[question.type as QuestionType]
  const field = useRef<HTMLDivElement>(null)
  // The prompt is the label. It is not in a legend, because screen readers say the name of a
  // group as one line, without the lines of code. So the prompt comes first, as a text that
  // can be read line by line, and the name of the field is its text without code and tables.
  useLayoutEffect(() => {
    const blocks = [...field.current!.querySelectorAll('.prompt > :not(pre, .scroll)')]
    const ids = blocks.map((block, i) => (block.id = `${question.id}-${i}`))
    if (ids.length === 0) ids.push(`${question.id}-prompt`)
    field.current!.querySelector('.answer')!.setAttribute('aria-labelledby', `${ids.join(' ')} ${question.id}-hint`)
  }, [question.id, question.promptHtml])
  return (
    <div ref={field}>
      <Html class="prompt" id={`${question.id}-prompt`} html={question.promptHtml} />
      <Entry {...props} />
    </div>
  )
}

/** The field of each type of question. */
const entries: Record<QuestionType, (props: FieldProps) => JSX.Element> = {
  SINGLE_CHOICE: Choice,
  MULTIPLE_CHOICE: Choice,
  NUMERIC: NumberField,
  SHORT_TEXT: TextField,
  FREE_TEXT: TextField,
}

/** All types of questions. */
export const types = Object.keys(entries) as QuestionType[]

function Choice({ question, value: { answer }, onChange, disabled }: FieldProps) {
  const options = question.options ?? []
  const isSingle = question.type === 'SINGLE_CHOICE'
  const chosen = isSingle ? [answer?.optionId] : (answer?.optionIds ?? [])
  const choose = (id: string, isOn: boolean) => {
    if (isSingle) return onChange({ answer: { optionId: id } })
    const optionIds = options
      .map((option) => option.id)
      .filter((other) => (other === id ? isOn : chosen.includes(other)))
    onChange({ answer: optionIds.length > 0 ? { optionIds } : null })
  }
  return (
    <fieldset class="answer" disabled={disabled}>
      <legend class="hint" id={`${question.id}-hint`}>
        {text(isSingle ? 'question.chooseOne' : 'question.chooseSome')}
      </legend>
      {options.map((option) => (
        <label class="option" key={option.id}>
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={question.id}
            checked={chosen.includes(option.id)}
            onChange={(event) => choose(option.id, event.currentTarget.checked)}
          />
          <Html html={option.textHtml} />
        </label>
      ))}
    </fieldset>
  )
}

function NumberField({ question: { id }, value: { answer, typed }, onChange, disabled }: FieldProps) {
  const [isFocused, setFocused] = useState(false)
  const shown = typed ?? (answer?.number === undefined ? '' : plainNumber(answer.number))
  const reading = readNumber(shown)
  // A number that is not complete yet is no mistake.
  const problem =
    shown !== '' && 'problem' in reading && !(isFocused && reading.problem === 'unfinished') && reading.problem
  const change = (entered: string) => {
    if (entered.trim() === '') return onChange({ answer: null })
    const read = readNumber(entered)
    onChange('number' in read ? { answer: { number: read.number }, typed: entered } : { typed: entered })
  }
  return (
    <div class="entry">
      <label class="hint" id={`${id}-hint`} for={`${id}-field`}>
        {text('question.number.label')}
      </label>
      <input
        class="field answer"
        id={`${id}-field`}
        inputMode="decimal"
        autocomplete="off"
        dir="ltr"
        value={shown}
        readOnly={disabled}
        aria-invalid={!!problem}
        aria-describedby={`${id}-note`}
        onInput={(event) => change(event.currentTarget.value)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      <p id={`${id}-note`} class={problem ? 'error' : 'hint'}>
        {problem
          ? text(`field.number.${problem === 'tooLarge' ? problem : 'invalid'}`, { example: inLanguage(12.5) }) +
            ` ${kept(answer)}`
          : understood(shown, answer)}
      </p>
    </div>
  )
}

// kept says what stays saved while the entry cannot be.
function kept(answer: Answer | null): string {
  return answer?.number === undefined
    ? text('field.unsaved')
    : text('field.number.kept', { number: inLanguage(answer.number) })
}

// understood says how the page reads an entry that can be read in another way, or that is written in another way.
function understood(typed: string, answer: Answer | null): string {
  const reading = readNumber(typed)
  if (answer?.number === undefined || 'problem' in reading) return ''
  const number = inLanguage(answer.number)
  // The language can have changed since the answer was entered, so that the readings have changed places.
  const others = [reading.number, reading.other].filter((one) => one !== undefined && one !== answer.number)
  if (others.length > 0) return text('field.number.ambiguous', { number, other: inLanguage(others[0]!) })
  return [number, plainNumber(answer.number)].includes(typed.trim())
    ? ''
    : text('field.number.understood', { typed: typed.trim(), number })
}

/** A number without groups, which could be misread. */
function inLanguage(number: number): string {
  return formatter(Intl.NumberFormat, language.value.formats, {
    useGrouping: false,
    maximumSignificantDigits: 17,
    notation: number !== 0 && Math.abs(number) < 1e-6 ? 'scientific' : 'standard',
  }).format(number)
}

/** TextField is for a word or a sentence, and for a long text. What only a long text needs is loaded later. */
function TextField({ question, value: { answer, typed }, onChange, disabled }: FieldProps) {
  const { id, textMatching } = question
  const isLong = question.type === 'FREE_TEXT'
  const limit = isLong ? 20_000 : 2000 // as in the contract
  const [writing, setWriting] = useState<Writing>()
  const shown = typed ?? answer?.text ?? ''
  const { left } = readText(shown, limit)
  const isStrict = textMatching && textMatching !== 'NORMALIZED'
  useEffect(() => {
    // Without this part, the field is a plain one, and answers are saved all the same.
    if (isLong)
      import(address).then((part: { writing: typeof Make }) => setWriting(part.writing(text, announce)), () => {})
  }, [])
  const change = (entered: string) => {
    const read = readText(entered, limit)
    if (read.left < 0 && left >= 0) announce(text('field.text.tooLong', { count: -read.left }))
    onChange(read.left < 0 ? { typed: entered } : { answer: entered ? { text: read.text } : null })
  }
  return (
    <div class="entry">
      <label class="hint" id={`${id}-hint`} for={`${id}-field`}>
        {text('question.text.label')}
      </label>
      <textarea
        ref={writing?.attach}
        class={`field answer${isLong ? ' long' : ''}`}
        id={`${id}-field`}
        rows={4}
        dir="auto"
        inputMode="text"
        // A keyboard that corrects a right word makes it wrong. Written so, Preact sets the attribute: the property is a
        // boolean in the browsers that have it.
        autoCorrect={isLong ? 'on' : 'off'}
        autocapitalize={isStrict ? 'none' : 'sentences'}
        spellcheck={!isStrict}
        value={shown}
        readOnly={disabled}
        aria-invalid={left < 0}
        // A browser only scrolls to the cursor in a field, and the rest could stay under the actions.
        onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest' })}
        aria-describedby={`${id}-note`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p id={`${id}-note`} class={left < 0 ? 'error' : 'hint'}>
        {left < 0
          ? `${text('field.text.tooLong', { count: -left })} ${text('field.unsaved')}`
          : writing
            ? writing.about(shown, left, question.maxWords)
            : left <= 200
              ? text('field.text.left', { count: left })
              : isStrict && text(`field.text.${textMatching}` as 'field.text.EXACT')}
      </p>
    </div>
  )
}
