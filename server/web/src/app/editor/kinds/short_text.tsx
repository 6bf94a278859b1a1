// A question whose answer is a short text.
import { text } from '../../../shared/i18n.tsx'
import { Icon } from '../../core/icons.tsx'
import { faultTextsAt } from '../fault_texts.ts'
import { Check, idOf } from '../fields.tsx'
import { atOnce } from '../focus.ts'
import { limits, setQuestion, type Question } from '../model.ts'
import type { FieldEditor } from '../state.ts'
import type { Kind } from './kind.ts'

export const shortText: Kind = {
  Key: ({ editor, question, change, at }) => (
    <>
      <AcceptedAnswers editor={editor} question={question} />
      <Check
        place={at('exactMatch')}
        label={text('editor.exactMatch')}
        hint={text('editor.exactMatch.hint')}
        isChecked={question.exactMatch}
        change={(exactMatch) => change({ exactMatch }, 'exactMatch')}
      />
      {!question.exactMatch && (
        <Check
          place={at('caseSensitive')}
          label={text('editor.caseSensitive')}
          hint={text('editor.caseSensitive.hint')}
          isChecked={question.caseSensitive}
          change={(caseSensitive) => change({ caseSensitive }, 'caseSensitive')}
        />
      )}
    </>
  ),
}

/** AcceptedAnswers are the texts that are correct. Enter adds one; Backspace in an empty one removes it. */
function AcceptedAnswers({ editor, question }: { editor: FieldEditor; question: Question }) {
  const { key, acceptedAnswers, exactMatch } = question
  const place = `/q/${key}/acceptedAnswers`
  const fault = faultTextsAt(editor, place)
  const set = (answers: string[], at: number, isTyping = false) =>
    editor.change(setQuestion(editor.doc.peek(), key, { acceptedAnswers: answers }), `${place}/${at}`, isTyping)
  const add = (index: number) => {
    if (acceptedAnswers.length >= limits.acceptedAnswers) return
    set([...acceptedAnswers.slice(0, index), '', ...acceptedAnswers.slice(index)], index)
    editor.wanted.value = `${place}/${index}`
  }
  const remove = (index: number) => {
    if (acceptedAnswers.length === 1) return
    set(acceptedAnswers.filter((_, i) => i !== index), index)
    editor.wanted.value = `${place}/${Math.max(0, index - 1)}`
  }
  return (
    <fieldset class="editor-options">
      <legend>
        {text('editor.answers')} <span class="muted optional">{text('editor.answers.hint')}</span>
      </legend>
      {!exactMatch && <p class="hint">{text('editor.answers.compared')}</p>}
      <ul data-place={place}>
        {acceptedAnswers.map((answer, index) => {
          const own = faultTextsAt(editor, `${place}/${index}`) ?? (index === 0 ? fault : undefined)
          return (
            <li key={index}>
              <div class="editor-option">
                <input
                  class="field small"
                  data-place={`${place}/${index}`}
                  aria-label={text('editor.answers.text', { number: index + 1 })}
                  aria-invalid={own !== undefined || undefined}
                  aria-describedby={own && `${idOf(place)}-${index}-error`}
                  maxLength={2000}
                  autocomplete="off"
                  autoCorrect="off"
                  autocapitalize="none"
                  spellcheck={!exactMatch}
                  value={answer}
                  onInput={(event) =>
                    set(acceptedAnswers.map((old, i) => (i === index ? event.currentTarget.value : old)), index, true)
                  }
                  onKeyDown={(event) => {
                    if (event.isComposing) return
                    if (event.key === 'Enter') {
                      event.preventDefault()
                      atOnce(editor, () => add(index + 1))
                    } else if (event.key === 'Backspace' && answer === '' && acceptedAnswers.length > 1) {
                      event.preventDefault()
                      atOnce(editor, () => remove(index))
                    }
                  }}
                />
                <button
                  type="button"
                  class="icon-button"
                  aria-label={text('editor.answers.delete', { number: index + 1 })}
                  aria-disabled={acceptedAnswers.length === 1}
                  onClick={() => remove(index)}
                >
                  <Icon name="close" />
                </button>
              </div>
              {own && (
                <p id={`${idOf(place)}-${index}-error`} class="error">
                  {own}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <button type="button" class="button quiet small" onClick={() => add(acceptedAnswers.length)}>
        <Icon name="plus" />
        {text('editor.answers.add')}
      </button>
    </fieldset>
  )
}
