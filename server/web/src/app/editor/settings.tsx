// The settings of the assessment, at ?part=settings.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { candidateLanguages } from '../core/candidate_languages.ts'
import { Icon } from '../core/icons.tsx'
import { fromField, toField, zoneHint } from '../core/zone.ts'
import { faultTextsAt } from './fault_texts.ts'
import { Check, Field, NumberField, TextField } from './fields.tsx'
import { limits, setSetting, type Settings } from './model.ts'
import { Preview } from './preview.tsx'
import type { Editor } from './state.ts'
import { Tool } from './tool.tsx'

type Change = <F extends keyof Settings>(field: F, value: Settings[F], isTyping?: boolean) => void
interface PartProps {
  editor: Editor
  settings: Settings
  change: Change
}

export function SettingsPart({ editor }: { editor: Editor }) {
  const { settings } = editor.doc.value
  const change: Change = (field, value, isTyping = true) =>
    editor.change(setSetting(editor.doc.peek(), field, value), `/${field}`, isTyping)
  const part = { editor, settings, change }
  return (
    <fieldset class="editor-settings" disabled={editor.isReadOnly}>
      <Texts {...part} />
      <Scoring {...part} />
      <Time {...part} />
      <Mails {...part} />
      <End {...part} />
    </fieldset>
  )
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

type TextName = 'description' | 'instructions' | 'closingMessage' | 'inviteMessage'

/** A text in Markdown, with its preview. */
function LongText(props: PartProps & { field: TextName; maxLength?: number }) {
  const { editor, settings, change, field, maxLength = 10_000 } = props
  return (
    <>
      <TextField
        editor={editor}
        place={`/${field}`}
        label={text(`editor.${field}`)}
        hint={text(`editor.${field}.hint`)}
        isOptional
        rows={2}
        maxLength={maxLength}
        value={settings[field]}
        change={(value) => change(field, value)}
      />
      <Preview editor={editor} place={`/${field}`} source={settings[field]} />
    </>
  )
}

function Texts(part: PartProps) {
  const { editor, settings, change } = part
  const { locale } = settings
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: 'language' })
  const offered = [...new Set([...candidateLanguages, ...(locale ? [locale] : [])])]
  return (
    <Section title={text('editor.section.texts')}>
      <TextField
        editor={editor}
        place="/title"
        label={text('editor.title')}
        maxLength={200}
        value={settings.title}
        change={(title) => change('title', title)}
      />
      <LongText {...part} field="description" />
      <LongText {...part} field="instructions" />
      <LongText {...part} field="closingMessage" />
      <Field editor={editor} place="/locale" label={text('editor.locale')} hint={text('editor.locale.hint')}>
        {(attributes) => (
          <select
            {...attributes}
            value={locale}
            onChange={(event) => change('locale', event.currentTarget.value, false)}
          >
            <option value="">{text('editor.locale.default')}</option>
            {offered.map((tag) => (
              <option key={tag} value={tag}>
                {names.of(tag) ?? tag}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Section>
  )
}

function Scoring({ editor, settings, change }: PartProps) {
  return (
    <Section title={text('editor.section.scoring')}>
      <NumberField
        editor={editor}
        place="/passingScore"
        label={text('editor.passingScore')}
        hint={text('editor.passingScore.hint')}
        isOptional
        min={0}
        max={100}
        decimals={2}
        unit="%"
        value={settings.passingScore}
        change={(value) => change('passingScore', value)}
      />
      <Check
        place="/shuffleQuestions"
        label={text('editor.shuffleQuestions')}
        isChecked={settings.shuffleQuestions}
        change={(value) => change('shuffleQuestions', value, false)}
      />
      <Check
        place="/shuffleOptions"
        label={text('editor.shuffleOptions')}
        isChecked={settings.shuffleOptions}
        change={(value) => change('shuffleOptions', value, false)}
      />
    </Section>
  )
}

function Time(part: PartProps) {
  const { editor, settings, change } = part
  return (
    <Section title={text('editor.section.time')}>
      <div class="columns">
        <NumberField
          editor={editor}
          place="/timeLimitMinutes"
          label={text('editor.timeLimitMinutes')}
          hint={text('editor.timeLimitMinutes.hint')}
          isOptional
          min={1}
          max={10_080}
          isInteger
          unit={text('editor.minutes')}
          value={settings.timeLimitMinutes}
          change={(value) => change('timeLimitMinutes', value)}
        />
        <NumberField
          editor={editor}
          place="/inviteExpiryDays"
          label={text('editor.inviteExpiryDays')}
          hint={text('editor.inviteExpiryDays.hint')}
          min={1}
          max={365}
          isInteger
          isRequired
          unit={text('editor.days')}
          value={settings.inviteExpiryDays}
          change={(value) => change('inviteExpiryDays', value ?? 14)}
        />
      </div>
      <div class="columns">
        {(['opensAt', 'closesAt'] as const).map((field) => (
          <TimeSetting key={field} {...part} field={field} />
        ))}
      </div>
    </Section>
  )
}

/** TimeSetting keeps what was typed, also if the clocks skip it, so that the hint can say which time counts. */
function TimeSetting({ editor, settings, change, field }: PartProps & { field: 'opensAt' | 'closesAt' }) {
  const stored = settings[field]
  const [typed, setTyped] = useState('')
  const value = stored && fromField(typed) === stored ? typed : toField(stored)
  return (
    <TextField
      editor={editor}
      place={`/${field}`}
      label={text(`editor.${field}`)}
      hint={`${text(`editor.${field}.hint`)} ${zoneHint(value)}`}
      isOptional
      type="datetime-local"
      value={value}
      change={(value) => {
        setTyped(value)
        change(field, fromField(value) ?? '')
      }}
    />
  )
}

function Mails(part: PartProps) {
  const { editor, settings, change } = part
  const hours = settings.remindAfterHours
  const fault = faultTextsAt(editor, '/remindAfterHours')
  const add = () => {
    change('remindAfterHours', [...hours, (hours.at(-1) ?? 0) + 72], false)
    editor.wanted.value = `/remindAfterHours/${hours.length}`
  }
  const remove = (index: number) => {
    change('remindAfterHours', hours.filter((_, i) => i !== index), false)
    editor.wanted.value = '/remindAfterHours'
  }
  return (
    <Section title={text('editor.section.mails')}>
      <LongText {...part} field="inviteMessage" maxLength={5000} />
      <fieldset class="editor-reminders">
        <legend>{text('editor.remindAfterHours')}</legend>
        <p class="hint">{text('editor.remindAfterHours.hint')}</p>
        {hours.map((value, index) => (
          <div key={index} class="editor-reminder">
            <NumberField
              editor={editor}
              place={`/remindAfterHours/${index}`}
              label={text('editor.reminder', { number: index + 1 })}
              min={1}
              max={8760}
              isInteger
              isRequired
              unit={text('editor.hours')}
              value={value}
              change={(next) => change('remindAfterHours', hours.map((old, i) => (i === index ? (next ?? old) : old)))}
            />
            {!editor.isReadOnly && (
              <Tool
                icon="trash"
                label={text('editor.reminder.delete', { number: index + 1 })}
                act={() => remove(index)}
              />
            )}
          </div>
        ))}
        {fault && <p class="error">{fault}</p>}
        {!editor.isReadOnly && hours.length < limits.reminders && (
          <button type="button" class="button quiet small" data-place="/remindAfterHours" onClick={add}>
            <Icon name="plus" />
            {text('editor.reminder.add')}
          </button>
        )}
      </fieldset>
    </Section>
  )
}

function End({ editor, settings, change }: PartProps) {
  return (
    <Section title={text('editor.section.end')}>
      <TextField
        editor={editor}
        place="/redirectUrl"
        label={text('editor.redirectUrl')}
        hint={text('editor.redirectUrl.hint')}
        isOptional
        type="url"
        maxLength={2048}
        placeholder="https://"
        value={settings.redirectUrl}
        change={(value) => change('redirectUrl', value)}
      />
    </Section>
  )
}
