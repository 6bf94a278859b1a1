// Adds a second factor in three steps: the name and the password, the proof that it works, and the recovery codes.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { createPasskey } from '../../shared/passkey.ts'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { Form, TextField } from '../core/forms.tsx'
import { lazy } from '../core/lazy.ts'
import { me } from '../core/me.ts'
import { KnownEmail, PasswordField } from '../core/password.tsx'
import { CopyButton } from '../core/states.tsx'
import { atField } from '../sign-in/submit.ts'
import { CodeField, compact } from './code_field.tsx'
import { Codes } from './codes.tsx'
import { passkeyFault } from './passkey_fault.ts'

const QrCode = lazy(async () => (await import('./qr.tsx')).QrCode)

export type Type = Schemas['SecondFactorTypeInput']
type New = Schemas['StartedSecondFactor']
type Confirmed = Schemas['ConfirmedSecondFactor']

interface Props {
  type: Type
  done(): void
}

export function AddSecondFactor({ type, done }: Props) {
  const [made, setMade] = useState<New>()
  const [codes, setCodes] = useState<string[]>()
  const confirmed = ({ recoveryCodes }: Confirmed) => {
    if (recoveryCodes) setCodes(recoveryCodes)
    else done()
  }
  if (codes) return <Codes codes={codes} done={done} />
  if (!made) return <Begin type={type} made={setMade} />
  const again = () => setMade(undefined)
  if (made.publicKey) return <ConfirmPasskey made={made} publicKey={made.publicKey} confirmed={confirmed} again={again} />
  return <ConfirmApp made={made} confirmed={confirmed} again={again} />
}

function Begin({ type, made }: { type: Type; made(factor: New): void }) {
  const [name, setName] = useState<string>(text(`secondFactor.type.${type}`))
  const [password, setPassword] = useState('')
  const check = () => ({
    ...(isBlank(name) && { '/name': text('field.required') }),
    ...(!password && { '/password': text('field.required') }),
  })
  const send = async (): Promise<Answer<New>> => {
    const answer = await ask(v1.POST('/v1/me/second-factors', { body: { type, name: name.trim(), password } }))
    if (answer.ok || answer.fault.problem?.code !== 'invalid_credentials') return answer
    return { ok: false, fault: atField(answer.fault, '/password', 'wrong', text('secondFactor.password.wrong')) }
  }
  return (
    <Form draft={undefined} label={text('secondFactor.next')} check={check} send={send} done={made}>
      <p class="second-factor-lead">{text(`secondFactor.begin.${type}`)}</p>
      <KnownEmail email={me.value!.email} />
      <TextField
        label={text('secondFactor.name')}
        hint={text('secondFactor.name.hint')}
        pointer="/name"
        maxLength={100}
        value={name}
        change={setName}
      />
      <PasswordField label={text('secondFactor.password')} pointer="/password" value={password} change={setPassword} />
    </Form>
  )
}

interface ConfirmProps {
  made: New
  confirmed(factor: Confirmed): void
  again(): void
}

/** confirm sends the proof. A factor that took too long has to be added again. */
async function confirm(id: string, body: Schemas['SecondFactorConfirmation']): Promise<Answer<Confirmed>> {
  const answer = await ask(v1.POST('/v1/me/second-factors/{id}/confirm', { params: { path: { id } }, body }))
  if (answer.ok || !answer.fault.problem) return answer
  const { fault } = answer
  switch (answer.fault.problem.code) {
    case 'invalid_code':
      return body.code ? { ok: false, fault: atField(fault, '/code', 'wrong', text('problem.invalid_code')) } : answer
    case 'not_found': {
      const problem = { ...answer.fault.problem, code: 'late', detail: text('secondFactor.late') }
      return { ok: false, fault: { ...fault, problem } }
    }
  }
  return answer
}

function ConfirmApp({ made, confirmed, again }: ConfirmProps) {
  const [code, setCode] = useState('')
  const check = (): Record<string, string> =>
    compact(code).length < 6 ? { '/code': text('secondFactor.code.short') } : {}
  return (
    <Form
      draft={undefined}
      label={text('secondFactor.confirm')}
      check={check}
      send={() => confirm(made.id, { code: compact(code) })}
      done={confirmed}
      actions={<Again act={again} />}
    >
      <p class="second-factor-lead">{text('secondFactor.scan')}</p>
      <QrCode value={made.uri ?? ''} label={text('secondFactor.qr')} />
      <p class="second-factor-key">
        {text('secondFactor.key')} <code data-secret>{grouped(made.secret ?? '')}</code>{' '}
        <CopyButton value={made.secret ?? ''} isSmall />
      </p>
      <p class="small">
        <a href={made.uri ?? ''}>{text('secondFactor.open')}</a>
      </p>
      <CodeField
        label={text('secondFactor.code')}
        hint={text('secondFactor.code.hint')}
        isDigits
        value={code}
        change={setCode}
      />
    </Form>
  )
}

/** grouped makes a key easier to type. */
const grouped = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

function ConfirmPasskey({ made, publicKey, confirmed, again }: ConfirmProps & { publicKey: string }) {
  const send = async (): Promise<Answer<Confirmed>> => {
    try {
      return await confirm(made.id, { passkey: await createPasskey(publicKey) })
    } catch (error) {
      return { ok: false, fault: passkeyFault(error) }
    }
  }
  return (
    <Form
      draft={undefined}
      label={text('secondFactor.passkey.create')}
      send={send}
      done={confirmed}
      actions={<Again act={again} />}
    >
      <p>{text('secondFactor.passkey.make')}</p>
    </Form>
  )
}

function Again({ act }: { act(): void }) {
  return (
    <button type="button" class="button" onClick={act}>
      {text('secondFactor.restart')}
    </button>
  )
}
