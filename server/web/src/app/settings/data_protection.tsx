// How long data of candidates are kept, what must stay, and the requests of persons.
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { text, type Key } from '../../shared/i18n.tsx'
import { Page } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { Holds } from '../protection/holds.tsx'
import { PersonSearch } from '../protection/person.tsx'
import { Retention } from '../protection/retention.tsx'
import { tabs } from './tabs.ts'

/** The sections, whose names are also the anchors in the address. */
const sections: Record<string, [Key, Key, ComponentType<{ assessmentId?: string }>]> = {
  retention: ['protection.retention', 'protection.retention.text', Retention],
  holds: ['protection.holds', 'protection.holds.text', Holds],
  person: ['protection.person', 'protection.person.text', PersonSearch],
}

export default function Screen() {
  const reason = needs('ADMIN')
  useEffect(() => {
    const name = location.hash.slice(1)
    if (name in sections) requestAnimationFrame(() => document.getElementById(name)?.scrollIntoView())
  }, [])
  return (
    <Page title={text('settings.title')} tabs={tabs('data-protection')} isNarrow>
      {Object.entries(sections).map(([name, [title, sentence, Content]]) => (
        <section key={name} id={name} class="card settings-section" aria-labelledby={`${name}-title`}>
          <h2 id={`${name}-title`}>{text(title)}</h2>
          <p class="settings-lead muted">{text(sentence)}</p>
          {reason ? <p class="hint">{reason}</p> : <Content />}
        </section>
      ))}
    </Page>
  )
}
