// The sections with texts, numbers, and choices.
import { useState } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { language, text } from '../../shared/i18n.tsx'
import { candidateLanguages } from '../core/candidate_languages.ts'
import { CheckField, Field, SelectField, TextField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { Save, type SectionProps } from './section.tsx'
import { isBlank } from '../../shared/text.ts'

/** orNull is how the contract clears a field. */
const orNull = (value: string) => value.trim() || null

export function General(props: SectionProps) {
  const { organization } = props
  const [name, setName] = useState(organization.name)
  const [redirect, setRedirect] = useState(organization.redirectUrl ?? '')
  const [days, setDays] = useState(String(organization.inviteExpiryDays))
  const check = () => ({
    ...(isBlank(name) && { '/name': text('field.required') }),
    ...(!(Number(days) >= 1 && Number(days) <= 365 && Number.isInteger(Number(days))) && {
      '/inviteExpiryDays': text('settings.expiry.wrong'),
    }),
  })
  return (
    <Save
      {...props}
      check={check}
      change={() => ({ name: name.trim(), redirectUrl: orNull(redirect), inviteExpiryDays: Number(days) })}
    >
      <TextField label={text('settings.name')} pointer="/name" maxLength={200} value={name} change={setName} />
      <TextField
        label={text('settings.expiry')}
        hint={text('settings.expiry.hint')}
        pointer="/inviteExpiryDays"
        type="number"
        value={days}
        change={setDays}
      />
      <TextField
        label={text('settings.redirect')}
        hint={text('settings.redirect.hint')}
        pointer="/redirectUrl"
        type="url"
        isOptional
        placeholder="https://"
        maxLength={2048}
        value={redirect}
        change={setRedirect}
      />
    </Save>
  )
}

export function Texts(props: SectionProps) {
  const { organization } = props
  const [email, setEmail] = useState(organization.supportEmail ?? '')
  const [url, setUrl] = useState(organization.privacyUrl ?? '')
  const [notice, setNotice] = useState(organization.privacyNotice ?? '')
  const [isRequired, setRequired] = useState(organization.acknowledgementRequired)
  return (
    <Save
      {...props}
      change={() => ({
        supportEmail: orNull(email),
        privacyUrl: orNull(url),
        privacyNotice: orNull(notice),
        acknowledgementRequired: isRequired,
      })}
    >
      <TextField
        label={text('settings.support')}
        hint={text('settings.support.hint')}
        pointer="/supportEmail"
        type="email"
        isOptional
        maxLength={254}
        value={email}
        change={setEmail}
      />
      <TextField
        label={text('settings.privacyUrl')}
        pointer="/privacyUrl"
        type="url"
        isOptional
        placeholder="https://"
        maxLength={2048}
        value={url}
        change={setUrl}
      />
      <TextField
        label={text('settings.notice')}
        hint={text('settings.notice.hint')}
        pointer="/privacyNotice"
        isOptional
        rows={6}
        maxLength={10_000}
        value={notice}
        change={setNotice}
      />
      {organization.privacyNoticeHtml && (
        <details class="settings-preview">
          <summary>{text('settings.notice.preview')}</summary>
          {notice.trim() !== (organization.privacyNotice ?? '').trim() && (
            <p class="small muted">{text('settings.notice.old')}</p>
          )}
          <Html html={organization.privacyNoticeHtml} class="settings-notice" />
        </details>
      )}
      <CheckField
        label={text('settings.acknowledgement')}
        hint={text('settings.acknowledgement.hint')}
        isChecked={isRequired}
        change={setRequired}
      />
    </Save>
  )
}

function nameOfLocale(tag: string): string {
  try {
    return new Intl.DisplayNames([language.value.tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

export function Region(props: SectionProps) {
  const { organization } = props
  const [locale, setLocale] = useState(organization.locale ?? '')
  const [zone, setZone] = useState(organization.timeZone ?? '')
  const zones = Intl.supportedValuesOf('timeZone')
  const tags = [...new Set<string>([...candidateLanguages, ...(organization.locale ? [organization.locale] : [])])]
  const options = tags.map((tag) => ({ value: tag, label: nameOfLocale(tag) }))
  options.sort((a, b) => a.label.localeCompare(b.label, language.value.tag))
  return (
    <Save {...props} change={() => ({ locale: locale || null, timeZone: orNull(zone) })}>
      <SelectField
        label={text('settings.locale')}
        hint={text('settings.locale.hint')}
        pointer="/locale"
        value={locale}
        change={setLocale}
        options={[{ value: '', label: text('settings.locale.none') }, ...options]}
      />
      <Field label={text('settings.zone')} hint={text('settings.zone.hint')} pointer="/timeZone" isOptional>
        {(attributes) => (
          <>
            <input
              {...attributes}
              list="settings-zones"
              autocomplete="off"
              spellcheck={false}
              placeholder={new Intl.DateTimeFormat().resolvedOptions().timeZone}
              value={zone}
              onInput={(event) => setZone(event.currentTarget.value)}
            />
            <datalist id="settings-zones">
              {zones.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      {timeIn(zone) && <p class="hint">{text('settings.zone.now', { time: timeIn(zone)! })}</p>}
    </Save>
  )
}

/** timeIn is the time of day in a zone, if the browser knows the zone. */
function timeIn(timeZone: string): string | undefined {
  if (!timeZone) return undefined
  try {
    const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const
    return new Intl.DateTimeFormat(language.value.formats, options).format()
  } catch {
    return undefined
  }
}

export function Email(props: SectionProps) {
  const { organization } = props
  const [from, setFrom] = useState(organization.mailFromName ?? '')
  const [reply, setReply] = useState(organization.mailReplyTo ?? '')
  const [isSent, setSent] = useState(organization.sendInviteEmail)
  const [notifyReopened, setReopened] = useState(organization.notifyReopened)
  const [notifyCorrected, setCorrected] = useState(organization.notifyCorrected)
  return (
    <Save
      {...props}
      change={() => ({
        mailFromName: orNull(from),
        mailReplyTo: orNull(reply),
        sendInviteEmail: isSent,
        notifyReopened,
        notifyCorrected,
      })}
    >
      {!organization.emailEnabled && (
        <div class="note warn settings-note">
          <Icon name="warning" />
          <div>
            <p>{text('settings.email.disabled')}</p>
            <p class="small">{text('settings.email.operator')}</p>
          </div>
        </div>
      )}
      <TextField
        label={text('settings.from')}
        hint={text('settings.from.hint')}
        pointer="/mailFromName"
        isOptional
        placeholder={organization.name}
        maxLength={100}
        value={from}
        change={setFrom}
      />
      <TextField
        label={text('settings.reply')}
        hint={text('settings.reply.hint')}
        pointer="/mailReplyTo"
        type="email"
        isOptional
        placeholder={organization.supportEmail ?? ''}
        maxLength={254}
        value={reply}
        change={setReply}
      />
      <CheckField
        label={text('settings.send')}
        hint={text('settings.send.hint')}
        isChecked={isSent}
        change={setSent}
      />
      <CheckField label={text('settings.notifyReopened')} isChecked={notifyReopened} change={setReopened} />
      <CheckField
        label={text('settings.notifyCorrected')}
        hint={text('settings.notifyCorrected.hint')}
        isChecked={notifyCorrected}
        change={setCorrected}
      />
    </Save>
  )
}
