// An email to the candidates whose state is changed: its words, when it is sent, and a preview.
import { useRef, useState } from 'preact/hooks'
import { text, Verbatim } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { dayAndTime } from '../core/formats.tsx'
import { CheckField, Errors, SelectField, TextField } from '../core/forms.tsx'
import { useQuery } from '../core/query.ts'
import { me } from '../core/me.ts'
import { FaultNote } from '../core/states.tsx'
import { rejection } from './rejections.ts'
import type { Session } from '../candidates/sessions.ts'

type Content = Schemas['ReviewEmailContent']

/** What the person has typed. Without it, a field has its default. */
interface Typed {
  subject?: string
  words?: string
  delay?: string
}

const placeholders = ['candidateName', 'assessmentTitle', 'organizationName'] as const

/** useEmail is the email of a change of states: `body` is for the request, and undefined without an email. */
export function useEmail(sessions: Session[], stateId: string) {
  const [isOn, setOn] = useState(false)
  const draft = useDraft<Typed>('email', () => ({}))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [subject, words] = useDefaults(sessions, stateId)
  const email = { subject: draft.value.subject ?? subject, text: draft.value.words ?? words }
  const { delay = '30' } = draft.value
  return {
    isOn, setOn, draft, errors, email, delay,
    set: (typed: Typed) => draft.set({ ...draft.value, ...typed }),
    body: () => (isOn ? { email: { ...email, delayMinutes: minutesOf(delay) } } : {}),
    /** Returns and shows what is wrong with the email. */
    check() {
      const found = isOn ? faultsOf(email) : {}
      setErrors(found)
      return found
    },
  }
}

export type Email = ReturnType<typeof useEmail>

/** A rejection has a polite text in the language in which the server writes around it. */
function useDefaults(sessions: Session[], stateId: string): [subject: string, words: string] {
  const [first, ...others] = new Set(sessions.map(({ assessmentId }) => assessmentId))
  const id = first && others.length === 0 && stateId === 'rejected' ? first : undefined
  const assessment = useQuery(id && `/v1/assessments/${id} locale`, () =>
    ask(v1.GET('/v1/assessments/{id}', { params: { path: { id: id! } } })),
  )
  if (stateId !== 'rejected') return ['', '']
  const { locale } = me.value!.organization
  return rejection(id ? [assessment.data?.locale, locale] : [locale])
}

function faultsOf({ subject, text: words }: { subject: string; text: string }): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [pointer, value] of [['/email/subject', subject], ['/email/text', words]] as const) {
    const unknown = value.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (all, name: string) =>
      placeholders.some((known) => known === name) ? '' : all,
    )
    if (isBlank(value)) found[pointer] = text('field.required')
    else if (unknown.includes('{{')) found[pointer] = text('candidates.email.unknown')
  }
  return found
}

/** The next morning is at most a day away, which is the longest delay. */
function morning(): Date {
  const at = new Date()
  at.setHours(9, 0, 0, 0)
  if (at.getTime() <= Date.now()) at.setDate(at.getDate() + 1)
  return at
}

function minutesOf(delay: string): number {
  if (delay !== 'morning') return Number(delay)
  return Math.min(Math.max(Math.round((morning().getTime() - Date.now()) / 60_000), 0), 1440)
}

export function EmailFields({ email, first }: { email: Email; first: Session }) {
  const { isOn, setOn, draft, errors, set } = email
  const fields = useRef<HTMLDivElement>(null)
  const last = useRef<'subject' | 'text'>('text')
  const insert = (name: string) => {
    const field = fields.current!.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="email/${last.current}"]`)!
    field.setRangeText(`{{${name}}}`, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  const { emailEnabled } = me.value!.organization
  return (
    <>
      <CheckField
        label={text('candidates.email')}
        isChecked={isOn}
        change={setOn}
        reason={emailEnabled ? undefined : text('candidates.email.none')}
      />
      {isOn && (
        <Errors.Provider value={errors}>
          <div
            ref={fields}
            class="candidates-email"
            onFocusIn={({ target }) => {
              const { name } = target as HTMLInputElement
              if (name?.startsWith('email/')) last.current = name === 'email/subject' ? 'subject' : 'text'
            }}
          >
            {draft.isBack && <DraftNote discard={draft.drop} />}
            <TextField
              label={text('candidates.email.subject')}
              pointer="/email/subject"
              maxLength={200}
              value={email.email.subject}
              change={(subject) => set({ subject })}
            />
            <TextField
              label={text('candidates.email.text')}
              hint={text('candidates.email.hint')}
              pointer="/email/text"
              rows={9}
              maxLength={5000}
              value={email.email.text}
              change={(words) => set({ words })}
            />
            <div class="placeholders" role="group" aria-label={text('candidates.email.insert')}>
              <span class="muted small">{text('candidates.email.insert')}</span>
              {placeholders.map((name) => (
                <button key={name} type="button" class="button small" onClick={() => insert(name)}>
                  {text(`candidates.email.${name}`)}
                </button>
              ))}
            </div>
            <SelectField
              label={text('candidates.email.when')}
              pointer="/email/delayMinutes"
              value={email.delay}
              change={(delay) => set({ delay })}
              options={[
                { value: '0', label: text('candidates.email.now') },
                { value: '30', label: text('candidates.email.minutes', { count: 30 }) },
                { value: '120', label: text('candidates.email.hours', { count: 2 }) },
                { value: 'morning', label: dayAndTime(morning()) },
              ]}
            />
            <Preview email={email} first={first} />
          </div>
        </Errors.Provider>
      )}
    </>
  )
}

function Preview({ email, first }: { email: Email; first: Session }) {
  const [shown, show] = useState<{ of: string; content: Content }>()
  const [fault, setFault] = useState<Fault>()
  const of = JSON.stringify(email.email)
  const load = async () => {
    if (Object.keys(email.check()).length > 0) return
    const params = { path: { id: first.id } }
    const answer = await ask(v1.POST('/v1/candidate-sessions/{id}/review/email/preview', { params, body: email.email }))
    setFault(answer.ok ? undefined : answer.fault)
    if (answer.ok) show({ of, content: answer.data })
  }
  return (
    <>
      <p>
        <button type="button" class="button small" onClick={() => void load()}>
          {text('candidates.email.preview')}
        </button>
      </p>
      {fault && <FaultNote fault={fault} />}
      {shown?.of === of && (
        <div class="email-preview" role="region" aria-label={text('candidates.email.preview')} tabIndex={0}>
          <p class="small muted">
            <Verbatim>{shown.content.to}</Verbatim>
          </p>
          <p>
            <b>
              <Verbatim>{shown.content.subject}</Verbatim>
            </b>
          </p>
          <p class="words" dir="auto">
            <Verbatim>{shown.content.text.trim()}</Verbatim>
          </p>
        </div>
      )}
    </>
  )
}
