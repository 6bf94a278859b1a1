// The person's own name, password, language, and sign-ins.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { chosen, names, wanted } from '../../shared/languages.ts'
import { ask, v1, type Answer } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { Form, SelectField, TextField } from '../core/forms.tsx'
import { lazy } from '../core/lazy.ts'
import { notify } from '../core/notices.tsx'
import { Page } from '../core/page.tsx'
import { KnownEmail, newPasswordFault, PasswordField } from '../core/password.tsx'
import { forget } from '../core/query.ts'
import { me } from '../core/me.ts'
import { SignIns } from './sign_ins.tsx'
import { isBlank } from '../../shared/text.ts'

const Security = lazy(async () => (await import('../second_factor/entry.ts')).security())

export default function Screen() {
  // The list of sign-ins is shorter after a change of the password or of the second factors.
  const [round, setRound] = useState(0)
  const changed = () => {
    forget('/v1/me/sign-ins')
    setRound((before) => before + 1)
  }
  // The provider of an organization must not be able to change the account (password_sign_in_required).
  const isByCompany = me.value!.signInMethod === 'PROVIDER'
  return (
    <Page title={text('profile.title')} isNarrow>
      <section class="card">
        <h2>{text('profile.you')}</h2>
        {isByCompany ? <Facts hasName /> : <NameForm />}
      </section>
      <section class="card">
        <h2>{text('profile.language')}</h2>
        <SelectField
          label={text('profile.language.label')}
          hint={text('profile.language.hint')}
          pointer="/language"
          value={wanted.value}
          change={(tag) => (chosen.value = tag)}
          options={Object.entries(names).map(([value, label]) => ({ value, label }))}
        />
      </section>
      {isByCompany ? (
        <section class="card">
          <h2>{text('profile.account')}</h2>
          <p>{text('profile.account.company')}</p>
        </section>
      ) : (
        <>
          <section class="card">
            <h2>{text('profile.password')}</h2>
            <PasswordForm done={changed} />
          </section>
          <Security changed={changed} />
        </>
      )}
      <SignIns key={round} />
    </Page>
  )
}

function NameForm() {
  const [name, setName] = useState(me.value!.name)
  return (
    <Form
      draft="person"
      label={text('profile.save')}
      check={(): Record<string, string> => (!isBlank(name) ? {} : { '/name': text('field.required') })}
      send={() => ask(v1.PATCH('/v1/me', { body: { name: name.trim() } }))}
      done={(person) => {
        me.value = person
        notify(text('profile.saved'))
      }}
    >
      <TextField
        label={text('profile.name')}
        hint={text('profile.name.hint')}
        pointer="/name"
        autocomplete="name"
        maxLength={200}
        value={name}
        change={setName}
      />
      <Facts />
    </Form>
  )
}

/** Facts is what the person cannot change. After the sign-in with a company, that is also the name. */
function Facts({ hasName }: { hasName?: boolean }) {
  const { name, email, role, organization } = me.value!
  const key = `profile.role.${role}`
  return (
    <dl class="facts-list">
      {hasName && (
        <>
          <dt>{text('profile.name')}</dt>
          <dd translate={false}>{name}</dd>
        </>
      )}
      <dt>{text('profile.email')}</dt>
      <dd>
        {email}
        <span class="small muted profile-hint">{text('profile.email.hint')}</span>
      </dd>
      <dt>{text('profile.role')}</dt>
      <dd>{rich('profile.roleIn', { organization: organization.name }, { role: hasText(key) ? text(key) : role })}</dd>
    </dl>
  )
}

function PasswordForm({ done }: { done(): void }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const check = () => {
    const fault = newPasswordFault(next)
    return {
      ...(!current && { '/currentPassword': text('field.required') }),
      ...(fault !== undefined && { '/newPassword': fault }),
    }
  }
  const send = async (): Promise<Answer<undefined>> => {
    const answer = await ask(v1.POST('/v1/me/password', { body: { currentPassword: current, newPassword: next } }))
    if (answer.ok || answer.fault.problem?.code !== 'invalid_credentials') return answer
    const errors = [
      { in: 'body', pointer: '/currentPassword', code: 'wrong', detail: text('profile.password.wrong') },
    ]
    return { ok: false, fault: { ...answer.fault, problem: { ...answer.fault.problem, errors } } }
  }
  return (
    <Form
      draft={undefined}
      label={text('profile.password.change')}
      check={check}
      send={send}
      done={() => {
        setCurrent('')
        setNext('')
        notify(text('profile.password.changed'))
        done()
      }}
    >
      <p class="muted small profile-lead">{text('profile.password.text')}</p>
      <KnownEmail email={me.value!.email} />
      <PasswordField
        label={text('profile.password.current')}
        pointer="/currentPassword"
        value={current}
        change={setCurrent}
      />
      <PasswordField label={text('profile.password.new')} pointer="/newPassword" isNew value={next} change={setNext} />
    </Form>
  )
}
