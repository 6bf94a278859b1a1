// Signs in with the provider of an organization, which is another page.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Note } from '../../shared/parts.tsx'
import { visible } from '../../shared/text.ts'
import type { Answer } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { Form, TextField } from '../core/forms.tsx'
import { addStyles } from '../core/styles.ts'
import { useAddress } from '../core/url.ts'
import { postOpen } from '../second_factor/open_request.ts'
import { nextOf, outsidePaths } from '../sign-in/next.ts'
import { atField } from '../sign-in/submit.ts'
import styles from './company.css?text'
import { startAt } from './start.ts'

/** CompanyError says why a sign-in with a provider has failed. */
export function CompanyError({ code }: { code: string }) {
  addStyles(styles)
  const key = `company.error.${code}`
  return (
    <Note icon="warning" kind="bad">
      <p role="alert">{text(hasText(key) ? key : 'company.error.provider_failed')}</p>
    </Note>
  )
}

interface Props {
  /** The email address that the person has typed. */
  known: string
  /** Whether the organization does not accept the password. */
  isRequired?: boolean
}

export function CompanyForm({ known, isRequired }: Props) {
  addStyles(styles)
  const { path, query } = useAddress()
  const [typed, setTyped] = useState(known)
  const email = visible(typed)
  const check = (): Record<string, string> => (email ? {} : { '/email': text('field.required') })
  const send = async (): Promise<Answer<string>> => {
    const answer = await postOpen<{ startUrl: string | null }>('/v1/auth/sign-in-provider', { email })
    if (!answer.ok) return answer
    const { startUrl } = answer.data
    if (startUrl) return { ...answer, data: startUrl }
    const problem = { code: 'unknown', detail: '', errors: [] }
    return { ok: false, fault: atField({ status: 404, problem }, '/email', 'unknown', text('company.unknown')) }
  }
  const done = (startUrl: string) => {
    const next = outsidePaths.includes(path) ? nextOf(query.next) : location.pathname + location.search
    location.assign(startAt(startUrl, next))
  }
  return (
    <Form
      draft={undefined}
      label={text('company.submit')}
      check={check}
      send={send}
      done={done}
    >
      <p class="company-lead">{text(isRequired ? 'company.required' : 'company.text')}</p>
      <TextField
        label={text('company.email')}
        pointer="/email"
        type="email"
        autocomplete="username"
        hasFocus
        value={typed}
        change={setTyped}
      />
    </Form>
  )
}
