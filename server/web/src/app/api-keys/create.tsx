// Creating a key: its name, what it permits, and how long. Then the key, once.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { CheckField, Field, Form, SelectField, TextField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { forget } from '../core/query.ts'
import { base } from '../core/session.ts'
import { CopyButton } from '../core/states.tsx'
import { endOfDay, organizationZone, toField } from '../core/zone.ts'
import { isBlank } from '../../shared/text.ts'

type Scope = Schemas['ApiKeyScopeInput']
const scopes: Scope[] = [
  'candidates:write',
  'candidates:read',
  'candidates:erase',
  'results:read',
  'assessments:read',
  'assessments:write',
  'reviews:read',
  'reviews:write',
  'results:share',
  'webhooks:manage',
  'audit:read',
  'ats:connect',
  'members:provision',
]

/** A key with this scope has no other one. */
const alone: Scope = 'members:provision'

const day = 24 * 3_600_000
const expiries = ['90', '30', '365', 'date', 'none'] as const
type Expiry = (typeof expiries)[number]

function expiresAt(expiry: Expiry, date: string): string | null | undefined {
  if (expiry === 'none') return null
  if (expiry === 'date') return endOfDay(date)
  return new Date(Date.now() + Number(expiry) * day).toISOString()
}

export function CreateKey({ scope, close }: { scope: string | undefined; close(): void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Scope[]>(() => scopes.filter((known) => known === scope))
  const [expiry, setExpiry] = useState<Expiry>('90')
  const [date, setDate] = useState(() => toField(new Date(Date.now() + 180 * day)).slice(0, 10))
  const [made, setMade] = useState<Schemas['CreatedApiKey']>()
  if (made) return <NewKey made={made} close={close} />
  const check = (): Record<string, string> => ({
    ...(!isBlank(name) ? {} : { '/name': text('field.required') }),
    ...(chosen.length > 0 ? {} : { '/scopes': text('apiKeys.scopes.none') }),
    ...(expiresAt(expiry, date) === undefined ? { '/expiresAt': text('field.required') } : {}),
  })
  const toggle = (scope: Scope, isChecked: boolean) =>
    setChosen(
      isChecked && scope === alone
        ? [alone]
        : scopes.filter((other) => (other === scope ? isChecked : other !== alone && chosen.includes(other))),
    )
  return (
    <Dialog key="form" kind="wide" title={text('apiKeys.create.title')} close={close}>
      <Form
        draft="create"
        label={text('apiKeys.create')}
        check={check}
        send={(key) =>
          ask(
            v1.POST('/v1/api-keys', {
              params: { header: { 'Idempotency-Key': key } },
              body: { name: name.trim(), scopes: chosen, expiresAt: expiresAt(expiry, date) ?? null },
            }),
          )
        }
        done={(data) => {
          forget('/v1/api-keys')
          setMade(data)
        }}
      >
        <TextField
          label={text('apiKeys.name')}
          hint={text('apiKeys.name.hint')}
          pointer="/name"
          maxLength={100}
          value={name}
          change={setName}
        />
        <Field label={text('apiKeys.scopes')} pointer="/scopes">
          {({ id, 'aria-describedby': described }) => (
            <div id={id} role="group" aria-label={text('apiKeys.scopes')} aria-describedby={described}>
              {scopes.map((scope) => (
                <CheckField
                  key={scope}
                  label={text(`apiKeys.scope.${scope}`)}
                  hint={text(`apiKeys.scope.${scope}.hint`)}
                  isChecked={chosen.includes(scope)}
                  change={(isChecked) => toggle(scope, isChecked)}
                />
              ))}
            </div>
          )}
        </Field>
        <div class="columns">
          <SelectField
            name="expiry"
            label={text('apiKeys.expiry')}
            pointer={expiry === 'date' ? '/expiry' : '/expiresAt'}
            value={expiry}
            change={(value) => setExpiry(expiries.find((known) => known === value) ?? '90')}
            options={expiries.map((value) => ({ value, label: text(`apiKeys.expiry.${value}`) }))}
          />
          {expiry === 'date' && (
            <TextField
              label={text('apiKeys.expiry.at')}
              hint={text('apiKeys.expiry.hint', { zone: organizationZone() })}
              pointer="/expiresAt"
              type="date"
              value={date}
              change={setDate}
            />
          )}
        </div>
      </Form>
    </Dialog>
  )
}

const invite = `{"assessmentId": "ASSESSMENT_ID", "candidateName": "Mei Lindqvist", "candidateEmail": "mei@candidate.example"}`

/** curlOf returns a command that the key permits. Words in capitals stand for ids, if the key cannot list anything. */
function curlOf({ key, scopes: permitted }: Schemas['CreatedApiKey']): string {
  const command = `curl -H 'X-API-Key: ${key}' '${new URL('v1/public', base).href}`
  if (permitted.includes('assessments:read')) return `${command}/assessments'`
  if (permitted.includes('candidates:read')) return `${command}/candidate-sessions'`
  if (permitted.includes('results:read')) return `${command}/candidate-sessions/SESSION_ID/result'`
  if (!permitted.includes('candidates:write')) return `${command}/me'`
  return `${command}/candidate-sessions' -H 'Content-Type: application/json' -d '${invite}'`
}

function NewKey({ made, close }: { made: Schemas['CreatedApiKey']; close(): void }) {
  const [isStored, setStored] = useState(false)
  const curl = curlOf(made)
  return (
    // Escape must not close the only view of the key.
    <Dialog key="made" kind="wide" title={text('apiKeys.made.title', { name: made.name })} close={() => undefined}>
      <div class="note warn">
        <Icon name="key" />
        <p>{text('apiKeys.made.once')}</p>
      </div>
      <div class="api-keys-secret">
        <code data-secret>{made.key}</code>
        <CopyButton value={made.key} />
      </div>
      <h3>{text('apiKeys.made.try')}</h3>
      <pre tabIndex={0} aria-label={text('apiKeys.made.try')}>
        <code data-curl>{curl}</code>
      </pre>
      {curl.includes('SESSION_ID') && <p class="hint">{text('apiKeys.made.session')}</p>}
      <p class="api-keys-copy">
        <CopyButton value={curl} />
      </p>
      <CheckField label={text('apiKeys.made.stored')} isChecked={isStored} change={setStored} />
      <div class="go">
        <button type="button" class="button primary" aria-disabled={!isStored} onClick={() => isStored && close()}>
          {text('apiKeys.made.done')}
        </button>
      </div>
    </Dialog>
  )
}
