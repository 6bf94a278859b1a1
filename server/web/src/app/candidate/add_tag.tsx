// The form that adds tags. It suggests the tags of the organization.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Field, Form } from '../core/forms.tsx'
import { forget, useQuery } from '../core/query.ts'
import { changeTags, tagFault, tagsIn } from '../core/review_tags.ts'

interface Props {
  id: string
  tags: string[]
  changed(review: Schemas['Review']): void
  close(): void
}

const listId = 'review-tags-known'

export function AddTag({ id, tags, changed, close }: Props) {
  const [value, setValue] = useState('')
  const added = tagsIn(value)
  const input = useRef<HTMLInputElement>(null)
  const known = useQuery('/v1/review-tags', () => ask(v1.GET('/v1/review-tags')))
  useEffect(() => input.current?.focus(), [])
  return (
    <div onKeyDown={(event) => event.key === 'Escape' && close()}>
      <Form
        draft={undefined}
        label={text('candidate.tags.save')}
        check={(): Record<string, string> => {
          const fault = added.length === 0 ? text('field.required') : tagFault(added)
          return fault ? { '/add/0': fault } : {}
        }}
        send={() => changeTags(id, { add: added })}
        done={(review) => {
          setValue('')
          forget('/v1/review-tags')
          known.reload()
          changed(review)
          input.current?.focus()
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.close')}
          </button>
        }
      >
        <Field label={text('candidate.tags.new')} hint={text('candidate.tags.hint')} pointer="/add/0">
          {(attributes) => (
            <input
              {...attributes}
              ref={input}
              type="text"
              list={listId}
              maxLength={400}
              autocomplete="off"
              value={value}
              onInput={(event) => setValue(event.currentTarget.value)}
            />
          )}
        </Field>
        <datalist id={listId}>
          {known.data
            ?.filter(({ name }) => !tags.includes(name))
            .map(({ name }) => <option key={name} value={name} />)}
        </datalist>
      </Form>
    </div>
  )
}
