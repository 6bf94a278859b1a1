// The logo and the color that candidates see.
import { useRef, useState } from 'preact/hooks'
import { accentFor } from '../../shared/accent.ts'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Fault } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { Field } from '../core/forms.tsx'
import { Action } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { FaultNote } from '../core/states.tsx'
import { Save, type Organization, type SectionProps } from './section.tsx'

export function Brand(props: SectionProps) {
  return (
    <>
      <Logo {...props} />
      <Color {...props} />
    </>
  )
}

const types = ['image/png', 'image/jpeg', 'image/webp']
/** The largest file, in bytes. */
const largest = 256 * 1024

function replaceLogo(file: File): Promise<Answer<Organization>> {
  return ask(
    v1.PUT('/v1/organization/logo', {
      headers: { 'Content-Type': file.type },
      body: file as unknown as string, // the contract's type of a file is a string
      bodySerializer: (body) => body,
    }),
  )
}

/** whyNotLogo returns why the server would refuse a file, or undefined. */
function whyNotLogo({ type, size }: File): string | undefined {
  if (!types.includes(type)) return text('settings.logo.type')
  return size > largest ? text('settings.logo.size') : undefined
}

function Logo({ organization, changed }: SectionProps) {
  const reason = needs('ADMIN')
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [fault, setFault] = useState<Fault>()
  const [isAsking, setAsking] = useState(false)
  const label = organization.logoUrl ? 'settings.logo.replace' : 'settings.logo.upload'
  const upload = async (file: File | undefined) => {
    if (!file) return
    setFault(undefined)
    setError(whyNotLogo(file))
    if (whyNotLogo(file)) return
    setBusy(true)
    const answer = await replaceLogo(file)
    setBusy(false)
    if (answer.ok) changed(answer.data)
    else if (answer.fault.problem?.errors[0]) setError(text('settings.logo.refused'))
    else setFault(answer.fault)
  }
  return (
    <div class="settings-logo">
      <h3>{text('settings.logo')}</h3>
      <p class="hint" id="settings-logo-hint">
        {text('settings.logo.hint')}
      </p>
      <div class="settings-logo-row">
        <span class="settings-logo-box">
          {organization.logoUrl ? (
            <img src={organization.logoUrl} alt={text('settings.logo.alt', { name: organization.name })} />
          ) : (
            <span class="muted small">{text('settings.logo.none')}</span>
          )}
        </span>
        <input
          ref={input}
          type="file"
          class="unseen"
          tabIndex={-1}
          aria-label={text('settings.logo.file')}
          accept={types.join()}
          onChange={({ currentTarget }) => {
            void upload(currentTarget.files?.[0])
            currentTarget.value = '' // the same file can be chosen again
          }}
        />
        <Action reason={reason} isSmall isBusy={isBusy} act={() => input.current?.click()}>
          {text(isBusy ? 'settings.logo.busy' : label)}
        </Action>
        {organization.logoUrl && (
          <Action reason={reason} isSmall act={() => setAsking(true)}>
            {text('settings.logo.delete')}
          </Action>
        )}
      </div>
      <div role="alert">{error && <p class="error">{error}</p>}</div>
      {fault && <FaultNote fault={fault} />}
      {isAsking && (
        <DeleteLogo close={() => setAsking(false)} done={() => changed({ ...organization, logoUrl: null })} />
      )}
    </div>
  )
}

function DeleteLogo({ close, done }: { close(): void; done(): void }) {
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/organization/logo'))
    if (!answer.ok) return answer.fault
    done()
    return undefined
  }
  return (
    <Confirm
      title={text('settings.logo.delete.title')}
      label={text('settings.logo.delete')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text('settings.logo.delete.text')}</p>
    </Confirm>
  )
}

/** The accent of tokens.css. */
const standard = '#2453c9'
const isColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value)

function Color(props: SectionProps) {
  const saved = props.organization.accentColor
  const [color, setColor] = useState(saved ?? '')
  const given = isColor(color) ? color.toLowerCase() : standard
  const check = (): Record<string, string> =>
    color && !isColor(color) ? { '/accentColor': text('settings.color.wrong') } : {}
  return (
    <Save {...props} check={check} change={() => ({ accentColor: color || null })}>
      <Field label={text('settings.color')} hint={text('settings.color.hint')} pointer="/accentColor" isOptional>
        {(attributes) => (
          <div class="beside settings-color">
            <input
              type="color"
              aria-label={text('settings.color.choose')}
              value={given}
              onInput={(event) => setColor(event.currentTarget.value)}
            />
            <input
              {...attributes}
              placeholder={standard}
              maxLength={7}
              spellcheck={false}
              dir="ltr"
              value={color}
              onInput={(event) => setColor(event.currentTarget.value.trim())}
            />
            {color && (
              <button type="button" class="button small" onClick={() => setColor('')}>
                {text('settings.color.standard')}
              </button>
            )}
          </div>
        )}
      </Field>
      <div class="settings-schemes">
        <Preview color={given} scheme="light" />
        <Preview color={given} scheme="dark" />
      </div>
    </Save>
  )
}

/** The grounds and texts of tokens.css. */
const grounds = { light: ['#ffffff', '#15181e'], dark: ['#171b21', '#e9ecf1'] } as const

function Preview({ color, scheme }: { color: string; scheme: 'light' | 'dark' }) {
  const { accent, ink, tint } = accentFor(color, scheme)
  const [ground, letters] = grounds[scheme]
  return (
    <figure>
      <div class="settings-scheme" style={{ background: ground, color: letters }}>
        <span class="settings-sample" style={{ background: accent, color: ink }}>
          {text('settings.color.sample')}
        </span>
        <span class="settings-sample" style={{ background: tint, color: accent }}>
          {text('settings.color.option')}
        </span>
      </div>
      <figcaption class="small muted">
        {text(scheme === 'light' ? 'settings.color.light' : 'settings.color.dark')}{' '}
        {accent !== color && text(scheme === 'light' ? 'settings.color.darker' : 'settings.color.lighter')}
      </figcaption>
    </figure>
  )
}
