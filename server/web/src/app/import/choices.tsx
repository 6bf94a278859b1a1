// What a person decides about a source: its format and its language.
import { language as pageLanguage, text } from '../../shared/i18n.tsx'
import { candidateLanguages } from '../core/candidate_languages.ts'
import { SelectField } from '../core/forms.tsx'
import { formats, type Choices, type Format, type Report } from './contract.ts'
import { formatText } from './result.tsx'

interface Props {
  choices: Choices
  report: Report | undefined
  change(choices: Choices): void
}

export function ChoiceFields({ choices, report, change }: Props) {
  const names = new Intl.DisplayNames(pageLanguage.value.tag, { type: 'language' })
  const languages = candidateLanguages.map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))
  languages.sort((a, b) => a.label.localeCompare(b.label, pageLanguage.value.tag))
  return (
    <div class="import-choices">
      <SelectField
        label={text('import.format')}
        pointer="/format"
        value={choices.format}
        // The columns are those of a table, which another format need not have.
        change={(format) => change({ ...choices, format: format as Format, columns: undefined })}
        options={formatOptions(choices, report)}
      />
      <SelectField
        label={text('import.language')}
        hint={text('import.language.hint')}
        pointer="/language"
        value={choices.language}
        change={(language) => change({ ...choices, language })}
        options={[{ value: '', label: text('import.language.none') }, ...languages]}
      />
    </div>
  )
}

/** The formats that the source can have come first. */
function formatOptions({ format }: Choices, report: Report | undefined) {
  const recognised = report?.recognisedFormats ?? []
  const rank = (format: string) => (recognised.includes(format) ? recognised.indexOf(format) : recognised.length)
  const sorted = [...formats].sort((a, b) => rank(a) - rank(b))
  const found = format === 'AUTO' ? report?.format : recognised[0]
  const auto = found ? text('import.format.recognised', { format: formatText(found) }) : text('import.format.AUTO')
  return [{ value: 'AUTO', label: auto }, ...sorted.map((value) => ({ value, label: formatText(value) }))]
}
