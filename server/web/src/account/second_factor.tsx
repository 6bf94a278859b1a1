// The second factor of a person who has joined with the password of an account, or has a new password.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Outcome, Schemas } from '../shared/api.ts'
import { CodeField } from '../shared/fields.tsx'
import { Form } from '../shared/form.tsx'
import { text } from '../shared/i18n.tsx'
import { Heading, Note } from '../shared/parts.tsx'
import { hasPasskeys, usePasskey } from '../shared/passkey.ts'
import { go } from './link.ts'
import { Action, LinkButton, Sheet } from './page.tsx'
import { completeSignIn, passkeyOptions } from './server.ts'

type Challenge = Schemas['SecondFactorChallenge']
type Next = 'joined' | 'changed'

// It is not in the browser's history: after a reload, the person signs in with the password.
const asked = signal<{ challenge: Challenge; next: Next } | undefined>(undefined)

/** askForSecondFactor shows the form, and then the next view. */
export function askForSecondFactor(challenge: Challenge, next: Next): void {
  asked.value = { challenge, next }
  go('secondFactor')
}

export function SecondFactor() {
  const now = asked.value
  return (
    <Sheet>
      <Heading>{text('factor.title')}</Heading>
      {now ? (
        <Forms {...now} />
      ) : (
        <>
          <p>{text('factor.ended')}</p>
          <LinkButton label={text('changed.signIn')} href="app/sign-in" />
        </>
      )}
    </Sheet>
  )
}

function Forms({ challenge: { challenge, methods }, next }: { challenge: Challenge; next: Next }) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isRecovery, setRecovery] = useState(!methods.includes('TOTP'))
  const done = (outcome: Outcome<unknown>) => {
    if (outcome.kind === 'ok') go(next)
    if (outcome.kind === 'ok' && next === 'joined') location.replace('app')
    return outcome
  }
  const refused = (kind: string): boolean => {
    // Another code cannot help a sign-in that has ended.
    if (kind !== 'invalid_code') asked.value = undefined
    else setError(text('factor.wrong'))
    return kind !== 'invalid_code'
  }
  const compact = code.replaceAll(/\s/g, '')
  const check = () => {
    const isWhole = compact.length >= 6
    setError(isWhole ? undefined : text('factor.short'))
    return isWhole
  }
  return (
    <>
      <p>{text('factor.text')}</p>
      {methods.includes('PASSKEY') && hasPasskeys() && (
        <Passkey challenge={challenge} done={done} refused={refused} />
      )}
      <Form
        key={isRecovery}
        label={text('factor.confirm')}
        sendingLabel={text('factor.confirming')}
        field="code"
        check={check}
        send={async () => done(await completeSignIn(challenge, { code: compact }))}
        refused={({ code }) => refused(code)}
      >
        {() => (
          <CodeField
            id="code"
            isDigits={!isRecovery}
            label={text(isRecovery ? 'factor.recovery' : 'factor.code')}
            error={error}
            value={code}
            change={setCode}
          />
        )}
      </Form>
      {methods.includes('TOTP') && methods.includes('RECOVERY_CODE') && (
        <p class="go">
          <Action label={text(isRecovery ? 'factor.useCode' : 'factor.useRecovery')} act={() => setRecovery(!isRecovery)} />
        </p>
      )}
    </>
  )
}

interface PasskeyProps {
  challenge: string
  done(outcome: Outcome<unknown>): Outcome<unknown>
  refused(code: string): boolean
}

function Passkey({ challenge, done, refused }: PasskeyProps) {
  const [isMissing, setMissing] = useState(false)
  const send = async (): Promise<Outcome<unknown>> => {
    setMissing(false)
    const options = await passkeyOptions(challenge)
    if (options.kind !== 'ok') return options
    try {
      return done(await completeSignIn(challenge, { passkey: await usePasskey(options.data.publicKey) }))
    } catch {
      setMissing(true)
      return { kind: 'ok', data: undefined, sent: 0, received: 0 }
    }
  }
  return (
    <>
      {isMissing && (
        <Note icon="warning" kind="warn">
          {text('factor.passkey.cancelled')}
        </Note>
      )}
      <Form
        label={text('factor.passkey')}
        sendingLabel={text('factor.confirming')}
        field="code"
        check={() => true}
        send={send}
        refused={({ code }) => refused(code)}
      >
        {() => null}
      </Form>
    </>
  )
}
