// The order of the imports changes the size of the bundle by 100 bytes, because it decides which code stands side by side.
import '../shared/verbatim.ts'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { showAccent } from '../shared/accent.ts'
import './take.css'
import type { activity as Activity } from './activity.ts'
import activity from './activity.ts?url'
import { runClock } from './clock.ts'
import { offlineSince, runSaver } from './saving.ts'
import { api } from './server.ts'
import { boot, phase, taking } from './session.ts'
import { resync } from './handing_in.ts'
import { language } from '../shared/i18n.tsx'
import { view } from './route.ts'
import { left } from './time.ts'
import { pace } from './warnings.ts'
import { App } from './app.tsx'

effect(() => showAccent(taking.value?.organization.accentColor))
runClock(() => void resync(), pace)
runSaver()
effect(() => {
  if (phase.value !== 'working') return
  const start = (part: { activity: typeof Activity }) =>
    part.activity({ api, language, view, left, offline: offlineSince })
  // Without this part, no times are reported.
  import(activity).then(start, () => {})
})
render(<App />, document.getElementById('app')!)
void boot()
