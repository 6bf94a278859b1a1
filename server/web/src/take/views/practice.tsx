// Invented questions to try the fields with. Nothing here is sent, kept, or timed. The
// API does not say before the start which types occur, so there is one of each type.
import { useState } from 'preact/hooks'
import { language, text, type Key } from '../../shared/i18n.tsx'
import type { QuestionType } from '../answers.ts'
import { go } from '../route.ts'
import { Field, type Change, type FieldProps, type Value } from './fields.tsx'
import { Heading, Sheet } from './page.tsx'

const questions: Record<QuestionType, { prompt: Key; options?: Key[] }> = {
  SINGLE_CHOICE: {
    prompt: 'practice.single',
    options: ['practice.single.1', 'practice.single.2', 'practice.single.3'],
  },
  MULTIPLE_CHOICE: {
    prompt: 'practice.multiple',
    options: ['practice.multiple.1', 'practice.multiple.2', 'practice.multiple.3'],
  },
  NUMERIC: { prompt: 'practice.number' },
  SHORT_TEXT: { prompt: 'practice.text' },
  FREE_TEXT: { prompt: 'practice.free' },
}

export function Practice() {
  return (
    <Sheet>
      <Heading>{text('practice.title')}</Heading>
      <p>{text('practice.about')}</p>
      {Object.entries(questions).map(([type, { prompt, options }]) => (
        <section key={type}>
          <PracticeField
            question={{
              id: `practice-${type}`,
              type,
              prompt: text(prompt),
              promptHtml: html(prompt),
              options: options?.map((key) => ({ id: key, text: text(key), textHtml: html(key) })) ?? null,
            }}
          />
        </section>
      ))}
      <p class="go">
        <button type="button" class="button primary" onClick={() => go({ name: 'start' }, { replace: true })}>
          {text('practice.end')}
        </button>
      </p>
    </Sheet>
  )
}

// html is a text of the page as HTML. It is in the page's language, unlike the organization's texts.
function html(key: Key): string {
  return `<p lang="${language.value.tag}">${text(key).replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`
}

function PracticeField({ question }: Pick<FieldProps, 'question'>) {
  const [value, setValue] = useState<Value>({ answer: null })
  const change = ({ answer, typed }: Change) =>
    setValue((old) => ({ answer: answer === undefined ? old.answer : answer, typed }))
  return <Field question={question} value={value} onChange={change} disabled={false} />
}
