// Proves a second factor: with a passkey, a code of an authenticator app, or a recovery code.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { hasPasskeys, usePasskey } from '../../shared/passkey.ts'
import type { Answer, Fault } from '../core/api.ts'
import { Form } from '../core/forms.tsx'
import { atField } from '../sign-in/submit.ts'
import { CodeField, compact } from './code_field.tsx'
import { passkeyFault } from './passkey_fault.ts'

type Method = 'PASSKEY' | 'TOTP' | 'RECOVERY_CODE'

export type Proof = { code: string } | { passkey: string }

interface Props {
  /** What the person has (SecondFactorMethod of openapi.yaml). */
  methods: string[]
  /** Requests what the browser needs to ask for a passkey. */
  options(): Promise<Answer<{ publicKey: string }>>
  send(proof: Proof): Promise<Answer<undefined>>
  done(): void
  /** Handles a refusal elsewhere. Returns true if it has. */
  refused?(fault: Fault): boolean
}

/** The methods in the order in which they are offered. */
const order: Method[] = ['PASSKEY', 'TOTP', 'RECOVERY_CODE']

export function ProofForm(props: Props) {
  const possible = order.filter((method) => props.methods.includes(method) && (method !== 'PASSKEY' || hasPasskeys()))
  const [method, setMethod] = useState<Method>(possible[0] ?? 'RECOVERY_CODE')
  return (
    <>
      {method === 'PASSKEY' ? <PasskeyForm {...props} /> : <CodeForm key={method} {...props} method={method} />}
      <ul class="second-factor-others">
        {possible
          .filter((other) => other !== method)
          .map((other) => (
            <li key={other}>
              <button type="button" class="link-button" onClick={() => setMethod(other)}>
                {text(`secondFactor.use.${other}`)}
              </button>
            </li>
          ))}
      </ul>
    </>
  )
}

function PasskeyForm({ options, send, done, refused }: Props) {
  const run = async (): Promise<Answer<undefined>> => {
    const answer = await options()
    if (!answer.ok) return answer
    try {
      return await send({ passkey: await usePasskey(answer.data.publicKey) })
    } catch (error) {
      return { ok: false, fault: passkeyFault(error) }
    }
  }
  return (
    <Form
      draft={undefined}
      label={text('secondFactor.passkey.use')}
      send={run}
      done={done}
      {...(refused && { refused })}
    >
      <p>{text('secondFactor.passkey.text')}</p>
    </Form>
  )
}

function CodeForm({ method, send, done, refused }: Props & { method: Method }) {
  const [code, setCode] = useState('')
  const isDigits = method === 'TOTP'
  const check = (): Record<string, string> =>
    compact(code).length < 6 ? { '/code': text('secondFactor.code.short') } : {}
  const run = async (): Promise<Answer<undefined>> => {
    const answer = await send({ code: compact(code) })
    if (answer.ok || answer.fault.problem?.code !== 'invalid_code') return answer
    return { ok: false, fault: atField(answer.fault, '/code', 'wrong', text('problem.invalid_code')) }
  }
  return (
    <Form
      draft={undefined}
      label={text('secondFactor.confirm')}
      check={check}
      send={run}
      done={done}
      {...(refused && { refused })}
    >
      <CodeField
        label={text(isDigits ? 'secondFactor.code' : 'secondFactor.recovery')}
        hint={text(isDigits ? 'secondFactor.code.hint' : 'secondFactor.recovery.hint')}
        isDigits={isDigits}
        value={code}
        change={setCode}
      />
    </Form>
  )
}
