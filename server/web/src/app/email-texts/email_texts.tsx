// The words of emails to candidates: of the organization, or of one assessment.
import { useEffect, useRef, useState } from 'preact/hooks'
import { language, rightToLeft, text, type Key } from '../../shared/i18n.tsx'
import { isBlank } from '../../shared/text.ts'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { dropDraft } from '../core/drafts.ts'
import { Form, SelectField, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { forget, useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { Loaded } from '../core/states.tsx'
import { useAddress } from '../core/url.ts'
import { areSame, Conflict, isConflict, SavedBy, useBase } from './conflict.tsx'
import { Preview } from './preview.tsx'

type EmailText = Schemas['EmailText']
type Kind = Schemas['EmailTextKindInput']
type Locale = Schemas['EmailTextLocaleInput']

const kinds: Kind[] = ['INVITE', 'REMINDER', 'REOPENED', 'RESULT_CORRECTED']
const sources: Record<string, Key> = {
  ASSESSMENT: 'emailTexts.source.ASSESSMENT',
  ORGANIZATION: 'emailTexts.source.ORGANIZATION',
  DEFAULT: 'emailTexts.source.DEFAULT',
}

interface Props {
  /** The assessment. Without it, the texts of the organization are shown. */
  assessmentId?: string
  /** The language of the assessment or the organization. */
  locale: string | null
}

export function EmailTexts({ assessmentId, locale }: Props) {
  const params = { query: assessmentId ? { assessmentId } : {} }
  const load = () => ask(v1.GET('/v1/email-texts', { params }))
  const query = useQuery(`/v1/email-texts?${assessmentId ?? ''}`, load)
  const changed = (changed: EmailText) => {
    forget('/v1/email-texts') // assessments without a text use the organization's text
    query.set(query.data!.map((one) => (isSame(one, changed) ? changed : one)))
    notify(text('emailTexts.saved'))
  }
  const refresh = async () => {
    const texts = await load()
    if (!texts.ok) return texts.fault
    forget('/v1/email-texts')
    query.set(texts.data)
    return undefined
  }
  return (
    <>
      {assessmentId && (
        <>
          <h2>{text('emailTexts.title')}</h2>
          <p class="muted">{text('emailTexts.lead')}</p>
        </>
      )}
      <Loaded query={query}>
        {(texts) => (
          <Choice texts={texts} locale={locale} assessmentId={assessmentId} changed={changed} refresh={refresh} />
        )}
      </Loaded>
    </>
  )
}

const isSame = (a: EmailText, b: Pick<EmailText, 'kind' | 'locale'>) => a.kind === b.kind && a.locale === b.locale

interface ChoiceProps {
  texts: EmailText[]
  locale: string | null
  assessmentId: string | undefined
  changed(text: EmailText): void
  /** Reads the texts again. It returns a fault if that did not succeed. */
  refresh(): Promise<Fault | undefined>
}

/** Choice is the email and the language. Each of the texts is a form of its own, and keeps what was typed in it. */
function Choice({ texts, locale, assessmentId, changed, refresh }: ChoiceProps) {
  const { query, change } = useAddress()
  const [round, setRound] = useState(0)
  const locales = [...new Set(texts.map((one) => one.locale))].sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
  const usual = [locale, me.value!.organization.locale].map((tag) => fitting(tag, locales)).find(Boolean)
  const choice = {
    kind: kinds.find((kind) => kind === query.email) ?? 'INVITE',
    locale: locales.find((one) => one === query.language) ?? usual ?? 'en',
  }
  const shown = texts.find((one) => isSame(one, choice))!
  return (
    <>
      <div style={choiceStyle}>
        <SelectField
          label={text('emailTexts.kind')}
          pointer="/emailTexts/kind"
          value={choice.kind}
          change={(email) => change({ email }, true)}
          options={kinds.map((value) => ({ value, label: text(`emailTexts.kind.${value}`) }))}
        />
        <SelectField
          label={text('emailTexts.locale')}
          pointer="/emailTexts/locale"
          value={choice.locale}
          change={(language) => change({ language }, true)}
          options={locales.map((value) => ({ value, label: nameOf(value) }))}
        />
      </div>
      <Words
        key={`${choice.kind} ${choice.locale} ${round}`}
        shown={shown}
        assessmentId={assessmentId}
        changed={changed}
        refresh={refresh}
        begin={() => setRound(round + 1)}
      />
    </>
  )
}

// The styles of the dashboard are loaded at once, so a part that is rarely opened has its styles in its code.
const choiceStyle = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(200px, 100%), 1fr))',
  columnGap: 'var(--s4)',
}

function nameOf(tag: string): string {
  return new Intl.DisplayNames([language.value.tag], { type: 'language' }).of(tag) ?? tag
}

/** fitting is the language of emails for a locale: the same language, whatever its region. */
function fitting(tag: string | null | undefined, locales: string[]): string | undefined {
  return locales.find((one) => one === tag) ?? locales.find((one) => tag && one.split('-')[0] === tag.split('-')[0])
}

interface WordsProps extends Pick<ChoiceProps, 'assessmentId' | 'changed' | 'refresh'> {
  shown: EmailText
  /** Begins again with the words that are shown. */
  begin(): void
}

function Words({ shown, assessmentId, changed, refresh, begin }: WordsProps) {
  const body = { kind: shown.kind as Kind, locale: shown.locale as Locale, assessmentId: assessmentId ?? null }
  const draft = `emailTexts ${shown.kind} ${shown.locale}`
  const [subject, setSubject] = useState(shown.subject)
  const [words, setWords] = useState(shown.text)
  const [isAsking, setAsking] = useState(false)
  const typed = { subject, text: words }
  const email = { ...body, ...typed }
  const base = useBase(draft, shown, typed)
  useEffect(() => {
    if (base.isOld) begin()
  }, [base.isOld])
  // The request replaces the text that the person sees. A text that another person has saved is shown, too.
  const { version } = shown
  const take = () => {
    dropDraft(draft)
    base.drop()
    begin()
  }
  const save = async () => {
    const answer = await ask(v1.PUT('/v1/email-texts', { body: { ...email, version } }))
    const isRefused = !answer.ok && isConflict(answer.fault) && !(await refresh())
    if (isRefused && !base.isChanged) notify(text('problem.email_text_changed'))
    return answer
  }
  const reset = async () => {
    const answer = await ask(v1.POST('/v1/email-texts/reset', { body: { ...body, version } }))
    const isRefused = !answer.ok && isConflict(answer.fault)
    if (!answer.ok && !isRefused) return answer.fault
    const fault = await refresh()
    if (fault) return fault
    if (isRefused) notify(text('problem.email_text_changed'))
    else take()
    return undefined
  }
  const reason = needs('EDITOR')
  const isOwn = shown.source === (assessmentId ? 'ASSESSMENT' : 'ORGANIZATION')
  return (
    <>
      <p style={{ margin: '0 0 var(--s4)' }}>
        <span class={isOwn ? 'tag good' : 'tag'}>
          {text(sources[shown.source] ?? 'emailTexts.source.DEFAULT')}
        </span>{' '}
        <SavedBy of={shown} />
      </p>
      <Form
        draft={draft}
        label={text(base.isBehind ? 'emailTexts.conflict.over' : 'emailTexts.save')}
        check={() => faultsOf(shown.kind, subject, words)}
        send={save}
        refused={isConflict}
        done={(saved) => {
          base.saved(saved)
          changed(saved)
        }}
        reason={reason}
        actions={
          isOwn && (
            <Action kind="quiet" reason={reason} act={() => setAsking(true)}>
              {text('emailTexts.reset')}
            </Action>
          )
        }
      >
        <Fields
          kind={shown.kind}
          isRightToLeft={rightToLeft.test(shown.locale)}
          isDisabled={reason !== undefined}
          subject={subject}
          words={words}
          setSubject={setSubject}
          setWords={setWords}
        />
        {base.isBehind && <Conflict theirs={shown} take={take} />}
      </Form>
      <Preview
        email={email}
        check={() => Object.keys(faultsOf(shown.kind, subject, words)).length === 0}
        reason={reason}
        testing={reason ?? whyNotTest(!areSame(typed, shown))}
      />
      {isAsking && (
        <Confirm
          title={text('emailTexts.reset.title')}
          label={text('emailTexts.reset')}
          act={reset}
          close={() => setAsking(false)}
        >
          <p>{text(assessmentId ? 'emailTexts.reset.assessment' : 'emailTexts.reset.organization')}</p>
        </Confirm>
      )}
    </>
  )
}

function whyNotTest(isUnsaved: boolean): string | undefined {
  if (!me.value!.organization.emailEnabled) return text('emailTexts.noEmail')
  return isUnsaved ? text('emailTexts.unsaved') : undefined
}

const placeholdersOf = (kind: string): string[] => [
  'candidateName',
  'assessmentTitle',
  'organizationName',
  ...(kind === 'INVITE' || kind === 'REMINDER' ? ['lastDay'] : []),
]

function faultsOf(kind: string, subject: string, words: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [pointer, value] of [['/subject', subject], ['/text', words]] as const) {
    const unknown = value.replaceAll(/\{\{ *(\w+) *\}\}/g, (all, name: string) =>
      placeholdersOf(kind).includes(name) ? '' : all,
    )
    if (isBlank(value)) found[pointer] = text('field.required')
    else if (unknown.includes('{{')) found[pointer] = text('emailTexts.unknown')
  }
  return found
}

const insertStyle = { display: 'flex', flexWrap: 'wrap', gap: 'var(--s2)', alignItems: 'center' }

interface FieldsProps {
  kind: string
  isRightToLeft: boolean
  isDisabled: boolean
  subject: string
  words: string
  setSubject(value: string): void
  setWords(value: string): void
}

function Fields({ kind, isRightToLeft, isDisabled, subject, words, setSubject, setWords }: FieldsProps) {
  const fields = useRef<HTMLFieldSetElement>(null)
  const last = useRef('text')
  const insert = (name: string) => {
    const field = fields.current!.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${last.current}]`)!
    field.setRangeText(`{{${name}}}`, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  useEffect(() => {
    for (const field of fields.current!.querySelectorAll<HTMLElement>('.field')) field.dir = isRightToLeft ? 'rtl' : ''
  }, [isRightToLeft])
  return (
    <fieldset
      ref={fields}
      disabled={isDisabled}
      onFocusIn={({ target }) => {
        const { name } = target as HTMLInputElement
        if (name) last.current = name
      }}
    >
      <TextField
        label={text('emailTexts.subject')}
        pointer="/subject"
        maxLength={200}
        value={subject}
        change={setSubject}
      />
      <TextField
        label={text('emailTexts.text')}
        hint={text('emailTexts.text.hint')}
        pointer="/text"
        rows={7}
        maxLength={5000}
        value={words}
        change={setWords}
      />
      <div style={insertStyle} role="group" aria-label={text('emailTexts.insert')}>
        <span class="muted small">{text('emailTexts.insert')}</span>
        {placeholdersOf(kind).map((name) => (
          <button key={name} type="button" class="button small" onClick={() => insert(name)}>
            {text(`emailTexts.${name}` as Key)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
