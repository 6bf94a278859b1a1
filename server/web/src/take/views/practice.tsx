// Invented questions to try the fields with. Nothing here is sent, kept, or timed. The
// API does not say before the start which types occur, so there is one of each type.
import { useState } from 'preact/hooks'
import { language, text, type Key } from '../../shared/i18n.tsx'
import { go } from '../route.ts'
import { Field, types, type Change, type FieldProps, type Value } from './fields.tsx'
import { Heading, Sheet } from './page.tsx'

/** How many options a question has. */
const options = [1, 2, 3]

export function Practice() {
  return (
    <Sheet>
      <Heading>{text('practice.title')}</Heading>
      <p>{text('practice.about')}</p>
      {types.map((type) => (
        <section key={type}>
          <PracticeField
            question={{
              id: `practice-${type}`,
              type,
              prompt: text(`practice.${type}`),
              promptHtml: html(`practice.${type}`),
              options: /CHOICE/.test(type)
                ? options.map((number) => option(`practice.${type}.${number}` as Key))
                : null,
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

const option = (id: Key) => ({ id, text: text(id), textHtml: html(id) })

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
