// A new segment: its name, and the conditions that sessions must fulfill.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { candidateLanguages } from '../core/candidate_languages.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Form, SelectField, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { organizationZone } from '../core/zone.ts'
import { empty, faultsOf, filterOf, otherLanguage, valuePointer, type Entered } from './conditions.ts'
import { languageName, type Segment } from './words.ts'

interface Props {
  id: string
  close(): void
  done(segment: Segment): void
}

export function SegmentForm({ id, close, done }: Props) {
  const [name, setName] = useState('')
  const [entered, setEntered] = useState<Entered>(empty)
  const set = (field: keyof Entered) => (value: string) => setEntered((before) => ({ ...before, [field]: value }))
  const { since, until, label, value, locale, tag, attempt } = entered
  const zone = organizationZone().replaceAll('_', ' ')
  const send = (key: string) =>
    ask(
      v1.POST('/v1/assessments/{id}/segments', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
        body: { name, filter: filterOf(entered, organizationZone()) },
      }),
    )
  return (
    <Dialog title={text('segments.create.title')} close={close}>
      <p class="muted small">{text('segments.create.text')}</p>
      <Form
        draft="segment"
        label={text('segments.create.submit')}
        busyLabel={text('segments.create.busy')}
        check={() => faultsOf(entered)}
        send={send}
        done={(segment) => {
          notify(text('segments.created', { name: segment.name }))
          done(segment)
        }}
      >
        <TextField label={text('segments.name')} pointer="/name" maxLength={100} value={name} change={setName} />
        <div class="columns">
          <TextField
            label={text('segments.since')}
            hint={text('segments.since.hint', { zone })}
            pointer="/filter/completedSince"
            isOptional
            type="date"
            value={since}
            change={set('since')}
          />
          <TextField
            label={text('segments.end')}
            hint={text('segments.end.hint', { zone })}
            pointer="/filter/completedUntil"
            isOptional
            type="date"
            value={until}
            change={set('until')}
          />
        </div>
        <div class="columns">
          <TextField
            label={text('segments.metadata.key')}
            hint={text('segments.metadata.key.hint')}
            pointer="/filter/metadata"
            isOptional
            value={label}
            change={set('label')}
          />
          <TextField
            name="value"
            label={text('segments.metadata.value')}
            pointer={valuePointer(label)}
            isOptional
            maxLength={500}
            value={value}
            change={set('value')}
          />
        </div>
        <SelectField
          label={text('segments.locale')}
          name="locale"
          pointer={locale === otherLanguage ? '/locale' : '/filter/language'}
          isOptional
          value={locale}
          change={set('locale')}
          options={[
            { value: '', label: text('segments.locale.any') },
            ...candidateLanguages.map((own) => ({ value: own, label: languageName(own) })),
            { value: otherLanguage, label: text('segments.locale.other') },
          ]}
        />
        {locale === otherLanguage && (
          <TextField
            label={text('segments.locale.tag')}
            hint={text('segments.locale.tag.hint')}
            pointer="/filter/language"
            maxLength={35}
            value={tag}
            change={set('tag')}
          />
        )}
        <TextField
          label={text('segments.attempts')}
          hint={text('segments.attempts.hint')}
          pointer="/filter/attempt"
          isOptional
          type="number"
          value={attempt}
          change={set('attempt')}
        />
      </Form>
    </Dialog>
  )
}
