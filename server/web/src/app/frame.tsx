// The navigation beside the screens.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { text, type Key } from '../shared/i18n.tsx'
import { chosen, names, wanted } from '../shared/languages.ts'
import { Icon, type IconName } from './core/icons.tsx'
import { notify } from './core/notices.tsx'
import { isReviewer, needs, seesAll } from './core/roles.ts'
import { me } from './core/me.ts'
import { base } from './core/session.ts'
import { showShortcuts } from './core/shortcuts.tsx'
import { to, useAddress } from './core/url.ts'
import { DeletionBanner } from './protection/lazy_banner.ts'

export function Frame({ children }: { children: ComponentChildren }) {
  return (
    <div class="frame">
      <a class="skip" href="#content">
        {text('page.skip')}
      </a>
      <Navigation />
      <main id="content" tabIndex={-1}>
        {me.value!.organization.deletion && <DeletionBanner />}
        {children}
      </main>
    </div>
  )
}

function Navigation() {
  const { organization } = me.value!
  const { path } = useAddress()
  const menu = useRef<HTMLDetailsElement>(null)
  // A narrow window has the links in a menu, which closes when a link is followed.
  useEffect(() => {
    if (menu.current) menu.current.open = false
  }, [path])
  return (
    <header class="side">
      <a class="org" href={to('/')}>
        {organization.logoUrl ? (
          <img class="mark" src={organization.logoUrl} alt="" />
        ) : (
          <span class="mark" aria-hidden="true" translate={false}>
            {[...organization.name][0]?.toUpperCase()}
          </span>
        )}
        <span translate={false}>{organization.name}</span>
      </a>
      <nav class="wide-nav" aria-label={text('nav.label')}>
        <Links />
      </nav>
      <details class="narrow-nav" ref={menu}>
        <summary>
          <Icon name="menu" />
          {text('nav.menu')}
        </summary>
        <nav aria-label={text('nav.label')}>
          <Links />
          <AccountLinks />
        </nav>
      </details>
      <Account />
    </header>
  )
}

function Links() {
  if (isReviewer()) {
    return (
      <>
        <Item path="/" icon="home" label={text('nav.home')} />
        <Item path="/grading" icon="edit" label={text('nav.grading')} />
      </>
    )
  }
  const isAdmin = !needs('ADMIN')
  return (
    <>
      <Item path="/" icon="home" label={text('nav.home')} />
      <Item path="/assessments" icon="assessments" label={text('nav.assessments')} />
      {seesAll() && <Item path="/questions" icon="questions" label={text('nav.questions')} />}
      <Item path="/candidates" icon="candidates" label={text('nav.candidates')} />
      <Item path="/grading" icon="edit" label={text('nav.grading')} />
      <h2 class="group">{text('nav.developers')}</h2>
      {isAdmin && <Item path="/api-keys" icon="key" label={text('nav.apiKeys')} />}
      {seesAll() && <Item path="/webhooks" icon="webhook" label={text('nav.webhooks')} />}
      <Item path="/events" icon="events" label={text('nav.events')} />
      <h2 class="group">{text('nav.organization')}</h2>
      {seesAll() && <Item path="/members" icon="members" label={text('nav.members')} />}
      {isAdmin && <Item path="/audit-log" icon="audit" label={text('nav.auditLog')} />}
      <Item path="/settings" icon="settings" label={text('nav.settings')} />
    </>
  )
}

function Item({ path, icon, label }: { path: string; icon: IconName; label: string }) {
  const { path: current } = useAddress()
  const isCurrent = path === '/' ? current === '/' : current === path || current.startsWith(path + '/')
  return (
    <a href={to(path)} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
    </a>
  )
}

/** Account is the menu of the person, at the foot of the navigation. */
function Account() {
  const { name, email } = me.value!
  const { path } = useAddress()
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current) menu.current.open = false
  }
  useEffect(close, [path])
  useEffect(() => {
    const outside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) close()
    }
    addEventListener('click', outside)
    return () => removeEventListener('click', outside)
  }, [])
  return (
    <details
      class="account"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        close()
        menu.current.querySelector('summary')?.focus()
      }}
    >
      <summary>
        <Icon name="person" />
        <span class="who" translate={false}>
          <span>{name}</span>
          <span class="muted small">{email}</span>
        </span>
        <span class="unseen">{text('nav.account')}</span>
      </summary>
      <div class="menu">
        <AccountLinks />
      </div>
    </details>
  )
}

const signOut = async () => (await import('./sign-out/sign_out.tsx')).signOut()
const chooseOrganization = async () => (await import('./organizations/entry.ts')).choose()
/** act runs what is loaded when a person presses the button. */
const act = (action: () => Promise<void>, failed: Key) => () => void action().catch(() => notify(text(failed)))

function Language() {
  return (
    <label class="menu-language">
      <span>{text('language.label')}</span>
      <select translate={false} value={wanted.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
        {Object.entries(names).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function AccountLinks() {
  return (
    <>
      {me.value!.hasSeveralOrganizations && (
        <button type="button" onClick={act(chooseOrganization, 'screen.missing.text')}>
          {text('nav.switch')}
        </button>
      )}
      <a href={to('/profile')}>{text('nav.profile')}</a>
      <button type="button" onClick={showShortcuts}>
        {text('nav.shortcuts')}
      </button>
      <Language />
      <a href={new URL('docs', base).href} target="_blank" rel="noopener">
        {text('nav.documentation')}
      </a>
      <button type="button" onClick={act(signOut, 'nav.signOut.failed')}>
        {text('nav.signOut')}
      </button>
    </>
  )
}
