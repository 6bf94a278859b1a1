// Connecting an applicant tracking system: its key, then the addresses and the key of Assay, which is shown once.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { CheckField, Form, TextField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { forget } from '../core/query.ts'
import { CopyButton } from '../core/states.tsx'
import { names, type Integration, type Partner } from './partners.ts'

/** What each system is asked to enter, below the base address: all of them, or the base address alone. */
const paths: Record<Partner, string[]> = {
  ashby: [''],
  greenhouse: ['/list_tests', '/send_test', '/test_status', '/response_error'],
  workable: [''],
}

interface Props {
  partner: Partner
  /** The system is connected, and gets a new key. */
  isAgain: boolean
  connected(): void
  close(): void
}

interface Made {
  integration: Integration
  /** The API key of Assay. The name "key" would be Preact's own. */
  secret: string
}

export function ConnectDialog({ partner, isAgain, connected, close }: Props) {
  const name = names[partner]
  const [callbackKey, setCallbackKey] = useState('')
  const [made, setMade] = useState<Made>()
  if (made) return <NewKey {...made} close={close} />
  // Greenhouse has one key for both directions.
  const hasOwnKey = partner !== 'greenhouse'
  const check = (): Record<string, string> =>
    hasOwnKey && !callbackKey.trim() ? { '/callbackKey': text('field.required') } : {}
  const send = (key: string) => connect(partner, hasOwnKey ? callbackKey.trim() : undefined, key)
  return (
    <Dialog
      key="form"
      title={text(isAgain ? 'integrations.again.title' : 'integrations.connect.title', { name })}
      close={close}
    >
      <p>{text(isAgain ? 'integrations.again.text' : 'integrations.connect.text', { name })}</p>
      <p>{text('integrations.untested')}</p>
      <Form
        draft={undefined}
        label={text('integrations.create')}
        check={check}
        send={send}
        done={(data) => {
          forget('/v1/api-keys')
          connected()
          setMade(data)
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        {hasOwnKey && (
          <TextField
            label={text(`integrations.key.${partner as 'ashby' | 'workable'}`)}
            hint={text(`integrations.key.${partner as 'ashby' | 'workable'}.hint`)}
            pointer="/callbackKey"
            maxLength={500}
            value={callbackKey}
            change={setCallbackKey}
          />
        )}
      </Form>
    </Dialog>
  )
}

/** connect connects the system with its own key, if it has one, and creates the key of Assay for it. */
async function connect(partner: Partner, own: string | undefined, idempotencyKey: string): Promise<Answer<Made>> {
  const put = (callbackKey: string) => ask(v1.PUT('/v1/integrations', { body: { partner, callbackKey } }))
  if (own !== undefined) {
    const checked = await put(own)
    if (!checked.ok) return checked
  }
  const created = await ask(
    v1.POST('/v1/api-keys', {
      params: { header: { 'Idempotency-Key': idempotencyKey } },
      body: { name: names[partner], scopes: ['ats:connect'], expiresAt: null },
    }),
  )
  if (!created.ok) return created
  const { key } = created.data
  const answer = await put(own ?? key)
  return answer.ok ? { ok: true, data: { integration: answer.data, secret: key }, response: answer.response } : answer
}

function NewKey({ integration, secret, close }: Made & { close(): void }) {
  const [isStored, setStored] = useState(false)
  const name = names[integration.partner as Partner]
  return (
    // Escape must not close the only view of the key.
    <Dialog key="made" title={text('integrations.made.title', { name })} close={() => undefined}>
      <p>{text(`integrations.made.${integration.partner as Partner}`)}</p>
      <Addresses integration={integration} />
      <div class="note warn">
        <Icon name="key" />
        <p>{text('integrations.made.once')}</p>
      </div>
      <ReadOnly label={text('integrations.made.key')} value={secret} />
      <CheckField label={text('integrations.made.stored')} isChecked={isStored} change={setStored} />
      <div class="go">
        <button type="button" class="button primary" aria-disabled={!isStored} onClick={() => isStored && close()}>
          {text('integrations.made.done')}
        </button>
      </div>
    </Dialog>
  )
}

/** Addresses are what people enter at the system. */
export function Addresses({ integration }: { integration: Integration }) {
  return (
    <>
      {paths[integration.partner as Partner].map((path) => (
        <ReadOnly
          key={path}
          label={path ? text('integrations.address.of', { name: path.slice(1) }) : text('integrations.address')}
          value={integration.baseUrl + path}
        />
      ))}
    </>
  )
}

/** ReadOnly is a value that people copy. */
function ReadOnly({ label, value }: { label: string; value: string }) {
  return (
    <div class="form-row">
      <span class="small">
        {label} <CopyButton value={value} isSmall />
      </span>
      <input
        class="field"
        readOnly
        aria-label={label}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
    </div>
  )
}
