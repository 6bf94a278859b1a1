// The routes of the dashboard, and what it shows without a sign-in.
import { Heading } from '../shared/parts.tsx'
import { text } from '../shared/i18n.tsx'
import { isSpeechless } from '../shared/languages.ts'
import { LocationProvider, Route, Router } from 'preact-iso/router'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Notices } from './core/notices.tsx'
import { lazy } from './core/lazy.ts'
import { screen } from './core/screen.tsx'
import { me } from './core/me.ts'
import { isReviewer } from './core/roles.ts'
import { elsewhere, state } from './core/session.ts'
import { ShortcutsHelp } from './core/shortcuts.tsx'
import { to, useAddress } from './core/url.ts'
import { Frame } from './frame.tsx'
import { isSettled } from './languages.ts'
import { reviewerScreens, screens } from './screens.ts'
import { nextOf, outsidePaths } from './sign-in/next.ts'
import { SignInAgain } from './sign-in/again.tsx'
import outsideDe from './sign-in/de.json?url'
import type outside from './sign-in/en.json'
import outsideEn from './sign-in/en.json?url'
import { Unreachable } from './sign-in/unreachable.tsx'

type OutsideTexts = typeof outside
declare module '../shared/i18n.tsx' {
  interface Texts extends OutsideTexts {}
}

// A person who is signed in does not need it.
const Outside = screen(() => import('./sign-in/outside.tsx'), { de: outsideDe, en: outsideEn })
const Elsewhere = lazy(async () => (await import('./organizations/entry.ts')).elsewhere())
const Setup = lazy(async () => (await import('./second_factor/entry.ts')).setup())

export function App() {
  if (isSpeechless()) return <Speechless />
  if (!isSettled() || state.value === 'starting') return null
  return (
    <LocationProvider scope={new RegExp(`^${to('/')}($|/|\\?)`)}>
      <Content />
    </LocationProvider>
  )
}

function Content() {
  if (state.value === 'unreachable') return <Unreachable />
  if (elsewhere.value) return <Elsewhere />
  if (state.value === 'out' || !me.value) return <Outside params={{}} />
  return (
    <>
      {me.value.mustAddSecondFactor ? (
        <Setup />
      ) : (
        <Frame>
          <Inside />
        </Frame>
      )}
      {state.value === 'ended' && <SignInAgain />}
      <ShortcutsHelp />
      <Notices />
    </>
  )
}

function Inside() {
  const { path, query, go } = useAddress()
  const isOutside = outsidePaths.includes(path)
  useEffect(() => {
    if (isOutside) go(nextOf(query.next), true)
  }, [isOutside])
  if (isOutside) return null
  const hidden = isReviewer() ? Object.fromEntries(Object.keys(screens).map((path) => [path, NoAccess])) : {}
  return (
    <Router>
      {Object.entries({ ...screens, ...hidden, ...(isReviewer() && reviewerScreens) }).map(([path, component]) => (
        <Route key={path} path={to(path)} component={component} />
      ))}
      <Route default component={NotFound} />
    </Router>
  )
}

function NotFound() {
  return <Nothing title={text('page.notFound.title')}>{text('page.notFound.text')}</Nothing>
}

/** NoAccess is a screen that is not for the role of the person. */
function NoAccess() {
  return <Nothing title={text('page.noAccess.title')}>{text('page.noAccess.text')}</Nothing>
}

function Nothing({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="page">
      <Heading>{title}</Heading>
      <p class="lead-in">{children}</p>
      <p>
        <a class="button" href={to('/')}>
          {text('page.notFound.home')}
        </a>
      </p>
    </div>
  )
}

/** Speechless is shown when no language could be loaded. */
function Speechless() {
  return (
    <main class="outside">
      <Heading>{text('page.unreachable.title')}</Heading>
      <p>{text('page.unreachable.text')}</p>
    </main>
  )
}
