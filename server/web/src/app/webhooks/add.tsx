// Adding an endpoint: its fields, and then its secret.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Form } from '../core/forms.tsx'
import { forget } from '../core/query.ts'
import { to, useAddress } from '../core/url.ts'
import { bodyOf, checkValues, EndpointFields, useValues } from './form.tsx'
import { NewSecret } from './secret.tsx'

export function AddEndpoint({ close }: { close(): void }) {
  const { go } = useAddress()
  const { values, change } = useValues()
  const [made, setMade] = useState<Schemas['CreatedWebhookEndpoint']>()
  if (made) {
    const done = () => go(to(`/webhooks/${made.id}`))
    return (
      // Escape must not close the only view of the secret.
      <Dialog key="secret" kind="wide" title={text('webhooks.add.done')} close={() => undefined}>
        <NewSecret secret={made.secret} done={done} />
      </Dialog>
    )
  }
  return (
    <Dialog key="form" kind="wide" title={text('webhooks.add.title')} close={close}>
      <Form
        draft="add"
        label={text('webhooks.add')}
        busyLabel={text('webhooks.add.busy')}
        check={() => checkValues(values)}
        send={(key) =>
          ask(v1.POST('/v1/webhooks', { params: { header: { 'Idempotency-Key': key } }, body: bodyOf(values) }))
        }
        done={(data) => {
          forget('/v1/webhooks')
          setMade(data)
        }}
      >
        <EndpointFields values={values} change={change} />
      </Form>
    </Dialog>
  )
}
