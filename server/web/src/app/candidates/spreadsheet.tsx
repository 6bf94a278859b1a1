// Asks what a file for people should be like. It is loaded when it is opened.
import { useState } from 'preact/hooks'
import { language, text } from '../../shared/i18n.tsx'
import { chosen } from '../../shared/languages.ts'
import type { Schemas } from '../core/api.ts'
import { candidateLanguage, candidateLanguages, type CandidateLanguage } from '../core/candidate_languages.ts'
import { Dialog } from '../core/dialogs.tsx'
import { SelectField } from '../core/forms.tsx'
import { organizationZone } from '../core/zone.ts'

type Format = Schemas['SpreadsheetFormat']
type Separator = Schemas['SpreadsheetSeparator']

export interface SpreadsheetProps {
  /** Starts the export with further parameters of the address. `extension` is that of the file. */
  start(parameters: Record<string, string>, extension: string): void
  close(): void
}

/** readersLanguage is the first language of the reader that files have. */
function readersLanguage(): CandidateLanguage {
  return [chosen.value, ...navigator.languages].map(candidateLanguage).find((found) => found !== undefined) ?? 'en'
}

/** readersSeparator is the separator that spreadsheets in the reader's region expect. */
function readersSeparator(): Separator {
  return new Intl.NumberFormat(navigator.language).format(0.5).includes(',') ? 'SEMICOLON' : 'COMMA'
}

export function SpreadsheetDialog({ start, close }: SpreadsheetProps) {
  const [format, setFormat] = useState<Format>('XLSX')
  const [separator, setSeparator] = useState(readersSeparator)
  const [chosenLanguage, setLanguage] = useState(readersLanguage)
  const names = new Intl.DisplayNames(language.value.tag, { type: 'language' })
  const options = candidateLanguages.map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))
  options.sort((a, b) => a.label.localeCompare(b.label, language.value.tag))
  const submit = (event: Event) => {
    event.preventDefault()
    const parameters = { format, language: chosenLanguage, timeZone: organizationZone() }
    start(format === 'CSV' ? { ...parameters, separator } : parameters, `.${format.toLowerCase()}`)
    close()
  }
  return (
    <Dialog title={text('candidates.spreadsheet')} close={close}>
      <p class="muted">{text('candidates.spreadsheet.text')}</p>
      <form class="form" onSubmit={submit}>
        <SelectField
          label={text('candidates.spreadsheet.format')}
          pointer="/format"
          value={format}
          change={(value) => setFormat(value as Format)}
          options={[
            { value: 'XLSX', label: text('candidates.spreadsheet.xlsx') },
            { value: 'CSV', label: text('candidates.spreadsheet.csv') },
          ]}
        />
        {format === 'CSV' && (
          <SelectField
            label={text('candidates.spreadsheet.separator')}
            hint={text('candidates.spreadsheet.separator.hint')}
            pointer="/separator"
            value={separator}
            change={(value) => setSeparator(value as Separator)}
            options={[
              { value: 'SEMICOLON', label: text('candidates.spreadsheet.semicolon') },
              { value: 'COMMA', label: text('candidates.spreadsheet.comma') },
            ]}
          />
        )}
        <SelectField
          label={text('candidates.spreadsheet.language')}
          pointer="/language"
          value={chosenLanguage}
          change={(value) => setLanguage(value as CandidateLanguage)}
          options={options}
        />
        <div class="go">
          <button type="submit" class="button primary">
            {text('candidates.exportSelected')}
          </button>
          <button type="button" class="button" onClick={close}>
            {text('candidates.bulk.back')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
