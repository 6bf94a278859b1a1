// The settings of the organization. Each section is saved by itself.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { showAccent } from '../../shared/accent.ts'
import { text, type Key } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { notify } from '../core/notices.tsx'
import { Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { Loaded } from '../core/states.tsx'
import { EmailTexts } from '../email-texts/lazy.ts'
import { Integrations } from '../integrations/lazy.ts'
import { Deletion } from '../protection/lazy.ts'
import { Brand } from './brand.tsx'
import type { Organization, SectionProps } from './section.tsx'
import { Email, General, Region, Texts } from './sections.tsx'
import { CandidateStates } from './states.tsx'
import { Results } from './results.tsx'
import { tabs } from './tabs.ts'
import { Usage } from './usage.tsx'

/** The sections, whose names are also the anchors in the address. */
const sections: Record<string, [Key, (props: SectionProps) => ComponentChildren]> = {
  general: ['settings.general', General],
  candidates: ['settings.candidates', Texts],
  states: ['settings.states', CandidateStates],
  brand: ['settings.brand', Brand],
  region: ['settings.region', Region],
  email: ['settings.email', Email],
  words: ['settings.words', Words],
  results: ['settings.results', Results],
  integrations: ['settings.integrations', Systems],
  usage: ['settings.usage', Usage],
  delete: ['settings.delete', () => <Deletion />],
}

export default function Screen() {
  const query = useQuery('/v1/organization', () => ask(v1.GET('/v1/organization')))
  // A colleague can have changed it since the sign-in, for example scheduled its deletion.
  useEffect(() => showEverywhere(query.data), [query.data])
  const changed = (organization: Organization) => {
    query.set(organization)
    showAccent(organization.accentColor)
    notify(text('settings.saved'))
  }
  return (
    <Page title={text('settings.title')} tabs={tabs('general')}>
      <div class="settings">
        <Contents />
        <div class="settings-sections">
          {needs('ADMIN') && <p class="settings-reason muted">{text('settings.readOnly')}</p>}
          <Loaded query={query}>
            {(organization) => (
              <Sections>
                {Object.entries(sections).map(([name, [title, Section]]) => (
                  <section key={name} id={name} class="card settings-section" aria-labelledby={`${name}-title`}>
                    <h2 id={`${name}-title`} tabIndex={-1}>
                      {text(title)}
                    </h2>
                    <Section name={name} organization={organization} changed={changed} />
                  </section>
                ))}
              </Sections>
            )}
          </Loaded>
        </div>
      </div>
    </Page>
  )
}

function Words({ organization }: SectionProps) {
  return (
    <>
      <p class="settings-lead muted">{text('settings.words.text')}</p>
      <EmailTexts locale={organization.locale} />
    </>
  )
}

function showEverywhere(organization: Organization | undefined): void {
  if (me.value && organization) me.value = { ...me.value, organization }
}

function Systems() {
  const reason = needs('ADMIN')
  return (
    <>
      <p class="settings-lead muted">{text('settings.integrations.text')}</p>
      {reason ? <p class="hint">{reason}</p> : <Integrations />}
    </>
  )
}

/** show scrolls to a section of the page. A hash alone would not work with the page's base address. */
function show(name: string): void {
  document.getElementById(name)?.scrollIntoView()
  document.getElementById(`${name}-title`)?.focus({ preventScroll: true })
}

/** Sections scrolls to the section in the address when it opens. */
function Sections({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    const name = location.hash.slice(1)
    if (name in sections) requestAnimationFrame(() => show(name))
  }, [])
  return <>{children}</>
}

function Contents() {
  return (
    <nav class="settings-contents" aria-label={text('settings.contents')}>
      {Object.entries(sections).map(([name, [title]]) => (
        <a
          key={name}
          href={`${location.pathname}#${name}`}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            event.stopPropagation()
            history.replaceState(history.state, '', `${location.pathname}#${name}`)
            show(name)
          }}
        >
          {text(title)}
        </a>
      ))}
    </nav>
  )
}
