// The routes of the dashboard, and what it shows without a sign-in.
import { Heading } from '../shared/parts.tsx'
import { text } from '../shared/i18n.tsx'
import { isSpeechless } from '../shared/languages.ts'
import { LocationProvider, Route, Router } from 'preact-iso/router'
import { useEffect } from 'preact/hooks'
import { Notices } from './core/notices.tsx'
import { screen } from './core/screen.tsx'
import { me } from './core/me.ts'
import { state } from './core/session.ts'
import { ShortcutsHelp } from './core/shortcuts.tsx'
import { to, useAddress } from './core/url.ts'
import { Frame } from './frame.tsx'
import { isSettled } from './languages.ts'
import { screens } from './screens.ts'
import { nextOf, outsidePaths } from './sign-in/next.ts'
import { SignInAgain } from './sign-in/again.tsx'
import { Unreachable } from './sign-in/unreachable.tsx'

// A person who is signed in does not need it.
const Outside = screen(() => import('./sign-in/outside.tsx'))

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
  if (state.value === 'out' || !me.value) return <Outside params={{}} />
  return (
    <>
      <Frame>
        <Inside />
      </Frame>
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
  return (
    <Router>
      {Object.entries(screens).map(([path, component]) => (
        <Route key={path} path={to(path)} component={component} />
      ))}
      <Route default component={NotFound} />
    </Router>
  )
}

function NotFound() {
  return (
    <div class="page">
      <Heading>{text('page.notFound.title')}</Heading>
      <p class="lead-in">{text('page.notFound.text')}</p>
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
