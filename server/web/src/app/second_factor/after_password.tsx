// How a sign-in continues after the password.
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { addStyles } from '../core/styles.ts'
import type { Fault, Schemas } from '../core/api.ts'
import { Form } from '../core/forms.tsx'
import { KnownEmail, PasswordField } from '../core/password.tsx'
import { CompanyForm } from '../company/lazy.ts'
import { submit } from '../sign-in/submit.ts'
import { CodeField, compact } from './code_field.tsx'
import { postOpen } from './open_request.ts'
import { ProofForm } from './proof.tsx'
import styles from './second_factor.css?text'

interface Props {
  problem: NonNullable<Fault['problem']>
  email: string
  /** Shows the form for the password again, with the reason. */
  back(why?: string): void
}

export function AfterPassword({ problem, email, back }: Props) {
  addStyles(styles)
  const { secondFactor } = problem
  return (
    <>
      {secondFactor ? (
        <SecondStep challenge={secondFactor} back={back} />
      ) : (
        <Company email={email} isRequired={problem.code === 'sso_required'} back={back} />
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
function Company({ email, isRequired, back }: { email: string; isRequired: boolean; back: Props['back'] }) {
  const [isOwner, setOwner] = useState(false)
  if (isOwner) return <OwnerForm email={email} back={back} />
  return (
    <>
      <CompanyForm known={email} isRequired={isRequired} />
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

function OwnerForm({ email, back }: Pick<Props, 'email' | 'back'>) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [challenge, setChallenge] = useState<Schemas['SecondFactorChallenge']>()
  if (challenge) return <SecondStep challenge={challenge} back={back} />
  const check = () => ({
    ...(!password && { '/password': text('field.required') }),
    ...(compact(code).length < 6 && { '/code': text('secondFactor.code.short') }),
  })
  return (
    <Form
      draft={undefined}
      label={text('signIn.submit')}
      check={check}
      send={() => submit({ type: 'login', email, password, code: compact(code) })}
      done={() => undefined}
      refused={({ problem }) => {
        setChallenge(problem?.secondFactor)
        return problem?.secondFactor !== undefined
      }}
    >
      <p class="second-factor-lead">{text('secondFactor.owner.text')}</p>
      <KnownEmail email={email} />
      <PasswordField label={text('signIn.password')} pointer="/password" value={password} change={setPassword} />
      <CodeField label={text('secondFactor.owner.code')} isDigits={false} value={code} change={setCode} />
    </Form>
  )
}

function SecondStep({ challenge, back }: { challenge: Schemas['SecondFactorChallenge']; back(why?: string): void }) {
  useEffect(() => announce(text('secondFactor.step')), [])
  return (
    <>
      <p class="second-factor-lead">{text('secondFactor.step')}</p>
      <ProofForm
        methods={challenge.methods}
        options={() => postOpen('/v1/auth/second-factor/passkey-options', { challenge: challenge.challenge })}
        send={(proof) => submit({ type: 'second-factor', challenge: challenge.challenge, ...proof })}
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
