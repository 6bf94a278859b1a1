// Dialogs that change an endpoint.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { Form, SelectField } from '../core/forms.tsx'
import { When } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { to, useAddress } from '../core/url.ts'
import { bodyOf, checkValues, EndpointFields, useValues } from './form.tsx'
import { NewSecret } from './secret.tsx'
import { hostOf, type Endpoint } from './words.tsx'

interface Props {
  endpoint: Endpoint
  close(): void
  changed(endpoint: Endpoint): void
}

export function EditEndpoint({ endpoint, close, changed }: Props) {
  const { values, change } = useValues(endpoint)
  return (
    <Dialog kind="wide" title={text('webhooks.edit')} close={close}>
      <Form
        draft="edit"
        label={text('webhooks.save')}
        check={() => checkValues(values)}
        send={() =>
          ask(v1.PATCH('/v1/webhooks/{id}', { params: { path: { id: endpoint.id } }, body: bodyOf(values) }))
        }
        done={(data) => {
          close()
          changed(data)
          notify(text('webhooks.saved'))
        }}
      >
        <EndpointFields values={values} change={change} />
      </Form>
    </Dialog>
  )
}

/** How long the old secret still signs, in seconds. */
const overlaps = ['3600', '86400', '604800', '0'] as const
type Overlap = (typeof overlaps)[number]

export function RotateSecret({ endpoint, close, changed }: Props) {
  const [overlap, setOverlap] = useState<Overlap>('86400')
  const [rotated, setRotated] = useState<Schemas['RotatedWebhookSecret']>()
  if (rotated) {
    return (
      <Dialog key="secret" kind="wide" title={text('webhooks.rotate.done')} close={() => undefined}>
        <NewSecret secret={rotated.secret} done={close}>
          {overlap === '0' ? (
            <p>{text('webhooks.rotate.now')}</p>
          ) : (
            <ol class="webhooks-list">
              <li>{text('webhooks.rotate.first')}</li>
              <li>{rich('webhooks.rotate.second', { time: <When at={rotated.activatesAt} /> })}</li>
              <li>{text('webhooks.rotate.third')}</li>
            </ol>
          )}
        </NewSecret>
      </Dialog>
    )
  }
  const path = { id: endpoint.id }
  return (
    <Dialog key="form" title={text('webhooks.rotate')} close={close}>
      <p>{text('webhooks.rotate.text', { url: hostOf(endpoint.url) })}</p>
      <Form
        draft="rotate"
        label={text('webhooks.rotate.submit')}
        send={(key) =>
          ask(
            v1.POST('/v1/webhooks/{id}/rotate-secret', {
              params: { path, header: { 'Idempotency-Key': key } },
              body: { activateAfterSeconds: Number(overlap) },
            }),
          )
        }
        done={(data) => {
          setRotated(data)
          changed({ ...endpoint, secretHint: data.secretHint })
        }}
      >
        <SelectField
          label={text('webhooks.rotate.overlap')}
          hint={text(overlap === '0' ? 'webhooks.rotate.hint.now' : 'webhooks.rotate.hint')}
          pointer="/activateAfterSeconds"
          value={overlap}
          change={(value) => setOverlap(overlaps.find((known) => known === value) ?? '86400')}
          options={overlaps.map((value) => ({ value, label: text(`webhooks.rotate.${value}`) }))}
        />
      </Form>
    </Dialog>
  )
}

export function DeleteEndpoint({ endpoint, close }: Omit<Props, 'changed'>) {
  const { go } = useAddress()
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/webhooks/{id}', { params: { path: { id: endpoint.id } } }))
    if (!answer.ok) return answer.fault
    forget('/v1/webhooks')
    notify(text('webhooks.deleted'))
    go(to('/webhooks'), true)
    return undefined
  }
  return (
    <Confirm title={text('webhooks.delete.title')} label={text('webhooks.delete')} isDanger act={act} close={close}>
      <p>
        <b class="webhooks-breaks">{endpoint.url}</b>
      </p>
      <p>{text('webhooks.delete.text')}</p>
    </Confirm>
  )
}
