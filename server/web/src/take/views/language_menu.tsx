// The menu of languages, below each view.
import { language, text } from '../../shared/i18n.tsx'
import { Icon } from '../../shared/icons.tsx'
import { choose, isLate, isShown, names, wanted } from '../languages.ts'

export function LanguageMenu() {
  return (
    <aside class="language" aria-label={text('language.label')}>
      <label>
        <Icon name="globe" />
        <span class="unseen">{text('language.label')}</span>
        <select value={wanted.value} onChange={(event) => choose(event.currentTarget.value)}>
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
