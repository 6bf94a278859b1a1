// How links to results work.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { CheckField, TextField } from '../core/forms.tsx'
import { Save, type SectionProps } from './section.tsx'

const maxDays = 366

export function Results(props: SectionProps) {
  const { organization } = props
  const [days, setDays] = useState(String(organization.resultLinkDays))
  const [isInEvents, setInEvents] = useState(organization.resultLinkInEvents)
  const count = Number(days)
  const check = (): Record<string, string> =>
    Number.isInteger(count) && count >= 1 && count <= maxDays
      ? {}
      : { '/resultLinkDays': text('settings.resultDays.wrong', { max: maxDays }) }
  return (
    <Save {...props} check={check} change={() => ({ resultLinkDays: count, resultLinkInEvents: isInEvents })}>
      <TextField
        label={text('settings.resultDays')}
        hint={text('settings.resultDays.hint')}
        pointer="/resultLinkDays"
        type="number"
        value={days}
        change={setDays}
      />
      <CheckField
        label={text('settings.resultInEvents')}
        hint={text('settings.resultInEvents.hint')}
        isChecked={isInEvents}
        change={setInEvents}
      />
    </Save>
  )
}
