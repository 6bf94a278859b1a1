// The menu of languages, for each view.
import { text } from './i18n.tsx'
import { Icon } from './icons.tsx'
import { chosen, isLate, isShown, names, wanted } from './languages.ts'

export function LanguageMenu() {
  return (
    <aside class="language" aria-label={text('language.label')}>
      <label>
        <Icon name="globe" />
        <span class="unseen">{text('language.label')}</span>
        <select translate={false} value={wanted.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          {Object.entries(names).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <span role="status">
        {!isShown.value && isLate.value && text('language.late', { language: names[wanted.value]! })}
      </span>
    </aside>
  )
}
