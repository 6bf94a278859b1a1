// The email domains of the organization, which DNS records prove.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'
import { When } from '../core/formats.tsx'
import { Confirm } from '../core/dialogs.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { FaultNote, Loaded } from '../core/states.tsx'
import { Value } from './value.tsx'

type Domain = Schemas['SignInDomain']

/** The contract permits so many. */
const most = 20

export function Domains() {
  const query = useQuery('/v1/organization/domains', () => ask(v1.GET('/v1/organization/domains')))
  return (
    <Loaded query={query}>
      {(domains) => (
        <>
          {domains.length > 0 && (
            <ul class="company-sign-in-list">
              {domains.map((domain) => (
                <Row key={domain.id} domain={domain} changed={query.reload} />
              ))}
            </ul>
          )}
          {domains.length > 0 && !domains.some(({ state }) => state === 'VERIFIED') && (
            <p class="hint">{text('companySignIn.domain.none')}</p>
          )}
          <Add isFull={domains.length >= most} added={query.reload} />
        </>
      )}
    </Loaded>
  )
}

function Add({ isFull, added }: { isFull: boolean; added(): void }) {
  const [domain, setDomain] = useState('')
  const reason = needs('OWNER') ?? (isFull ? text('problem.too_many_domains') : undefined)
  return (
    <Form
      draft="domain"
      label={text('companySignIn.domain.add')}
      check={(): Record<string, string> => (domain.trim() ? {} : { '/domain': text('field.required') })}
      send={() => ask(v1.POST('/v1/organization/domains', { body: { domain: domain.trim() } }))}
      reason={reason}
      done={() => {
        setDomain('')
        added()
      }}
    >
      <fieldset disabled={reason !== undefined}>
        <TextField
          label={text('companySignIn.domain')}
          hint={text('companySignIn.domain.hint')}
          pointer="/domain"
          maxLength={253}
          value={domain}
          change={setDomain}
        />
      </fieldset>
    </Form>
  )
}

function Row({ domain, changed }: { domain: Domain; changed(): void }) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [isRemoving, setRemoving] = useState(false)
  const reason = needs('OWNER')
  const path = { id: domain.id }
  const isVerified = domain.state === 'VERIFIED'
  const verify = async () => {
    setBusy(true)
    const answer = await ask(v1.POST('/v1/organization/domains/{id}/verify', { params: { path } }))
    setBusy(false)
    setFault(answer.ok ? undefined : answer.fault)
    if (answer.ok) changed()
  }
  const remove = async () => {
    const answer = await ask(v1.DELETE('/v1/organization/domains/{id}', { params: { path } }))
    if (!answer.ok) return answer.fault
    changed()
    return undefined
  }
  return (
    <li>
      <div class="company-sign-in-head">
        <div>
          <b translate={false}>{domain.domain}</b>{' '}
          <span class={isVerified ? 'tag good' : 'tag warn'}>
            {text(isVerified ? 'companySignIn.domain.verified' : 'companySignIn.domain.pending')}
          </span>
          {domain.verifiedAt && (
            <span class="small muted">
              {text('companySignIn.domain.since')} <When at={domain.verifiedAt} />
            </span>
          )}
        </div>
        <Action
          isSmall
          label={text('companySignIn.domain.remove.of', { domain: domain.domain })}
          reason={reason}
          act={() => setRemoving(true)}
        >
          {text('companySignIn.domain.remove')}
        </Action>
      </div>
      {!isVerified && (
        <div class="company-sign-in-record">
          <p class="small muted">{text('companySignIn.domain.record')}</p>
          <Value label={text('companySignIn.domain.name')} value={domain.txtName} />
          <Value label={text('companySignIn.domain.value')} value={domain.txtValue} />
          {fault && <FaultNote fault={fault} />}
          <Action isSmall isBusy={isBusy} reason={reason} act={() => void verify()}>
            {text('companySignIn.domain.check')}
          </Action>
        </div>
      )}
      {isRemoving && (
        <Confirm
          title={text('companySignIn.domain.remove.title', { domain: domain.domain })}
          label={text('companySignIn.domain.remove')}
          isDanger
          act={remove}
          close={() => setRemoving(false)}
        >
          <p>{text('companySignIn.domain.remove.text')}</p>
        </Confirm>
      )}
    </li>
  )
}
