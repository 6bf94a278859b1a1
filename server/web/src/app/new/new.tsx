// A new assessment: from a sample, from blank, or from a file.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { newKey } from '../core/keys.ts'
import { Action, ActionLink, Page } from '../core/page.tsx'
import { forget } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { FaultNote } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { createFromSample, samples, type Sample } from '../samples/samples.ts'
import { isBlank } from '../../shared/text.ts'

export default function Screen() {
  const { query } = useAddress()
  const reason = needs('EDITOR')
  const isBlank = query.from === 'blank'
  return (
    <Page title={text('new.title')} crumbs={[{ label: text('nav.assessments'), href: to('/assessments') }]} isNarrow>
      {reason && <p class="lead-in">{reason}</p>}
      {isBlank ? (
        <>
          <Blank reason={reason} />
          <Samples reason={reason} />
        </>
      ) : (
        <>
          <Samples reason={reason} />
          <Blank reason={reason} />
        </>
      )}
      <section class="card new-import">
        <div class="grow">
          <h2>{text('new.import.title')}</h2>
          <p class="muted">{text('new.import.text')}</p>
        </div>
        <ActionLink href={to('/assessments/import')} reason={reason}>
          <Icon name="upload" />
          {text('new.import.open')}
        </ActionLink>
      </section>
    </Page>
  )
}

function Samples({ reason }: { reason: string | undefined }) {
  const { go } = useAddress()
  const [busy, setBusy] = useState<string>()
  const [fault, setFault] = useState<Fault>()
  const [key, setKey] = useState(() => newKey())
  const use = async (sample: Sample) => {
    if (busy) return
    setBusy(sample.id)
    setFault(undefined)
    const answer = await createFromSample(sample, key)
    setBusy(undefined)
    setKey(newKey())
    if (answer.ok) go(to(`/assessments/${answer.data.id}/edit`))
    else setFault(answer.fault)
  }
  return (
    <section class="card">
      <h2>{text('new.sample.title')}</h2>
      <p class="muted">{text('new.sample.text')}</p>
      {fault && <FaultNote fault={fault} />}
      <ul class="new-samples">
        {samples.map((sample) => (
          <li key={sample.id}>
            <div class="grow">
              <h3>{text(`new.sample.${sample.id}`)}</h3>
              <p class="muted small">{text(`new.sample.${sample.id}.text`)}</p>
              <p class="muted small">
                {text('new.sample.size', { count: sample.questionCount, minutes: sample.minutes })}
              </p>
            </div>
            <Action
              isSmall
              act={() => void use(sample)}
              reason={reason}
              isBusy={busy !== undefined}
              label={text('new.sample.useNamed', { title: text(`new.sample.${sample.id}`) })}
            >
              {busy === sample.id ? text('new.busy') : text('new.sample.use')}
            </Action>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Blank({ reason }: { reason: string | undefined }) {
  const { go } = useAddress()
  const [title, setTitle] = useState('')
  const send = (key: string) =>
    ask(
      v1.POST('/v1/assessments', {
        params: { header: { 'Idempotency-Key': key } },
        body: { title: title.trim(), repeatRule: 'ASK', stages: [{ title: text('new.blank.stage'), questions: [] }] },
      }),
    )
  return (
    <section class="card">
      <h2>{text('new.blank.title')}</h2>
      <p class="muted">{text('new.blank.text')}</p>
      <Form
        draft="blank"
        label={text('new.blank.create')}
        busyLabel={text('new.busy')}
        reason={reason}
        check={(): Record<string, string> => (!isBlank(title) ? {} : { '/title': text('new.blank.required') })}
        send={send}
        done={({ id }) => {
          forget('/v1/')
          go(to(`/assessments/${id}/edit`))
        }}
      >
        <TextField
          label={text('new.blank.name')}
          hint={text('new.blank.hint')}
          pointer="/title"
          value={title}
          change={setTitle}
          maxLength={200}
        />
      </Form>
    </section>
  )
}
