// The OpenID Connect provider of the organization.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Note } from '../../shared/parts.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { CheckField, Form, SelectField, TextField } from '../core/forms.tsx'
import { When } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { Action, ActionLink } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { startAt } from '../company/start.ts'
import { parseRoles, rolesText, roles } from './roles.ts'
import { Value } from './value.tsx'

type SignInProvider = Schemas['SignInProvider']

interface Props {
  provider: SignInProvider
  changed(provider: SignInProvider): void
  removed(): void
}

export function Provider({ provider, changed, removed }: Props) {
  const [isRemoving, setRemoving] = useState(false)
  const reason = needs('OWNER')
  return (
    <>
      <Value label={text('companySignIn.callbackUrl')} value={provider.callbackUrl} />
      {/* Another provider is another form. */}
      <Fields key={`${provider.issuer} ${provider.clientId}`} provider={provider} changed={changed} />
      {provider.issuer && (
        <div class="company-sign-in-present">
          {provider.lastSucceededAt ? (
            <p class="small muted">
              {text('companySignIn.lastSucceeded')} <When at={provider.lastSucceededAt} />
            </p>
          ) : (
            <Note icon="warning" kind="warn">
              <p>{text('companySignIn.untested')}</p>
              <ActionLink isSmall href={startAt(provider.startUrl, location.pathname)}>
                {text('companySignIn.test')}
              </ActionLink>
            </Note>
          )}
          <Value label={text('companySignIn.startUrl')} value={provider.startUrl} />
          <Action isSmall reason={reason} act={() => setRemoving(true)}>
            {text('companySignIn.remove')}
          </Action>
        </div>
      )}
      {isRemoving && <Remove done={removed} close={() => setRemoving(false)} />}
    </>
  )
}

function Fields({ provider, changed }: Omit<Props, 'removed'>) {
  const [issuer, setIssuer] = useState(provider.issuer ?? '')
  const [clientId, setClientId] = useState(provider.clientId ?? '')
  const [secret, setSecret] = useState('')
  const [createMembers, setCreateMembers] = useState(provider.createMembers)
  const [defaultRole, setDefaultRole] = useState<string>(provider.defaultRole)
  const [roleClaim, setRoleClaim] = useState(provider.roleClaim ?? '')
  const [mapping, setMapping] = useState(() => rolesText(provider.roles))
  const [required, setRequired] = useState(provider.required)
  const reason = needs('OWNER')
  const isSame = issuer.trim() === provider.issuer && clientId.trim() === provider.clientId
  const isTested = isSame && provider.lastSucceededAt !== null
  const lacksCodes = provider.recoveryCodesLeft === 0 && !provider.required
  const blocked = !isTested
    ? text('companySignIn.required.untested')
    : lacksCodes
      ? text('companySignIn.required.noCodes')
      : undefined
  const check = (): Record<string, string> => ({
    ...(issuer.trim() ? {} : { '/issuer': text('field.required') }),
    ...(clientId.trim() ? {} : { '/clientId': text('field.required') }),
    ...(secret || isSame ? {} : { '/clientSecret': text('field.required') }),
    ...(parseRoles(mapping) ? {} : { '/roles': text('companySignIn.roles.wrong') }),
  })
  const send = () =>
    ask(
      v1.PUT('/v1/organization/sign-in-provider', {
        body: {
          issuer: issuer.trim(),
          clientId: clientId.trim(),
          ...(secret && { clientSecret: secret }),
          scopes: provider.scopes,
          createMembers,
          defaultRole: defaultRole as Schemas['ProviderRoleInput'],
          roleClaim: roleClaim.trim() || null,
          roles: parseRoles(mapping) ?? [],
          required: required && isTested,
        },
      }),
    )
  return (
    <Form
      draft="provider"
      label={text('settings.save')}
      check={check}
      send={send}
      reason={reason}
      done={(saved) => {
        setSecret('')
        changed(saved)
        notify(text('settings.saved'))
      }}
    >
      <fieldset disabled={reason !== undefined}>
        <TextField
          label={text('companySignIn.issuer')}
          hint={text('companySignIn.issuer.hint')}
          pointer="/issuer"
          type="url"
          maxLength={512}
          value={issuer}
          change={setIssuer}
        />
        <TextField
          label={text('companySignIn.clientId')}
          pointer="/clientId"
          maxLength={255}
          value={clientId}
          change={setClientId}
        />
        <TextField
          label={text('companySignIn.clientSecret')}
          hint={isSame ? text('companySignIn.clientSecret.kept') : undefined}
          pointer="/clientSecret"
          type="password"
          autocomplete="new-password"
          maxLength={1024}
          value={secret}
          change={setSecret}
        />
        <CheckField
          label={text('companySignIn.createMembers')}
          hint={text('companySignIn.createMembers.hint')}
          isChecked={createMembers}
          change={setCreateMembers}
        />
        <SelectField
          label={text('companySignIn.defaultRole')}
          hint={text('companySignIn.defaultRole.hint')}
          pointer="/defaultRole"
          value={defaultRole}
          change={setDefaultRole}
          options={roles.map((role) => ({ value: role, label: text(`companySignIn.role.${role}`) }))}
        />
        <TextField
          label={text('companySignIn.roleClaim')}
          hint={text('companySignIn.roleClaim.hint')}
          pointer="/roleClaim"
          isOptional
          maxLength={100}
          value={roleClaim}
          change={setRoleClaim}
        />
        {roleClaim.trim() && (
          <TextField
            label={text('companySignIn.roles')}
            hint={text('companySignIn.roles.hint')}
            pointer="/roles"
            rows={4}
            value={mapping}
            change={setMapping}
          />
        )}
        <CheckField
          label={text('companySignIn.required')}
          hint={text('companySignIn.required.hint')}
          isChecked={required && isTested}
          change={setRequired}
          reason={blocked}
        />
      </fieldset>
    </Form>
  )
}

function Remove({ done, close }: { done(): void; close(): void }) {
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/organization/sign-in-provider'))
    if (!answer.ok) return answer.fault
    done()
    return undefined
  }
  return (
    <Confirm title={text('companySignIn.remove')} label={text('companySignIn.remove')} isDanger act={act} close={close}>
      <p>{text('companySignIn.remove.text')}</p>
    </Confirm>
  )
}
