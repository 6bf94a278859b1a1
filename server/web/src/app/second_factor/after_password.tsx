// How a sign-in continues after the password.
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { addStyles } from '../core/styles.ts'
import type { Answer, Fault, Schemas } from '../core/api.ts'
import { Form } from '../core/forms.tsx'
import { KnownEmail, PasswordField } from '../core/password.tsx'
import type { SessionRequest } from '../core/session.ts'
import { CompanyForm } from '../company/lazy.ts'
import { atField, submit } from '../sign-in/submit.ts'
import { CodeField, compact } from './code_field.tsx'
import { postOpen } from './open_request.ts'
import { ProofForm } from './proof.tsx'
import styles from './second_factor.css?text'

interface Props {
  problem: NonNullable<Fault['problem']>
  email: string
  /** The organization to enter, if it is known. */
  organizationId?: string | undefined
  /** Shows the form for the password again, with the reason. */
  back(why?: string): void
}

export function AfterPassword({ problem, email, organizationId, back }: Props) {
  addStyles(styles)
  const { secondFactor } = problem
  return (
    <>
      {secondFactor ? (
        <SecondStep challenge={secondFactor} back={back} />
      ) : (
        <Company {...{ email, organizationId, back }} isRequired={problem.code === 'sso_required'} />
      )}
      <p class="second-factor-back">
        <button type="button" class="link-button" onClick={() => back()}>
          {text('secondFactor.back')}
        </button>
      </p>
    </>
  )
}

/** Company also lets an owner in while the sign-in of the company does not work. */
function Company({ isRequired, ...props }: Omit<OwnerProps, 'send'> & { isRequired: boolean }) {
  const [isOwner, setOwner] = useState(false)
  if (isOwner) return <OwnerForm {...props} />
  return (
    <>
      <CompanyForm known={props.email} isRequired={isRequired} />
      {isRequired && (
        <p class="second-factor-back">
          <button type="button" class="link-button" onClick={() => setOwner(true)}>
            {text('secondFactor.owner.open')}
          </button>
        </p>
      )}
    </>
  )
}

interface OwnerProps extends Pick<Props, 'email' | 'organizationId' | 'back'> {
  /** Sends the sign-in. The default continues in this tab. */
  send?: (request: SessionRequest) => Promise<Answer<undefined>>
}

/** OwnerForm signs in with the password and a recovery code of the organization. */
export function OwnerForm({ email, organizationId, back, send = submit }: OwnerProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [challenge, setChallenge] = useState<Schemas['SecondFactorChallenge']>()
  if (challenge) return <SecondStep challenge={challenge} back={back} send={send} />
  const check = () => ({
    ...(!password && { '/password': text('field.required') }),
    ...(compact(code).length < 6 && { '/code': text('secondFactor.code.short') }),
  })
  const signIn = async (): Promise<Answer<undefined>> => {
    const answer = await send({ type: 'login', email, password, organizationId, code: compact(code) })
    if (answer.ok || answer.fault.problem?.code !== 'sso_required') return answer
    return { ok: false, fault: atField(answer.fault, '/code', 'wrong', text('secondFactor.owner.wrong')) }
  }
  return (
    <Form
      draft={undefined}
      label={text('signIn.submit')}
      check={check}
      send={signIn}
      done={() => undefined}
      refused={({ problem }) => {
        setChallenge(problem?.secondFactor)
        return problem?.secondFactor !== undefined
      }}
    >
      <p class="second-factor-lead">{text('secondFactor.owner.text')}</p>
      <KnownEmail email={email} />
      <PasswordField
        label={text('signIn.password')}
        pointer="/password"
        value={password}
        change={setPassword}
        hasFocus
      />
      <CodeField label={text('secondFactor.owner.code')} isDigits={false} isLater value={code} change={setCode} />
    </Form>
  )
}

interface StepProps extends Pick<OwnerProps, 'back' | 'send'> {
  challenge: Schemas['SecondFactorChallenge']
}

function SecondStep({ challenge, back, send = submit }: StepProps) {
  useEffect(() => announce(text('secondFactor.step')), [])
  return (
    <>
      <p class="second-factor-lead">{text('secondFactor.step')}</p>
      <ProofForm
        methods={challenge.methods}
        options={() => postOpen('/v1/auth/second-factor/passkey-options', { challenge: challenge.challenge })}
        send={(proof) => send({ type: 'second-factor', challenge: challenge.challenge, ...proof })}
        done={() => undefined}
        refused={({ problem }) => {
          const isOver = problem?.code === 'unauthenticated'
          if (isOver) back(text('secondFactor.ended'))
          return isOver
        }}
      />
    </>
  )
}
