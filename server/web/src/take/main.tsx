// The order of the imports changes the size of the bundle by 100 bytes, because it decides which code stands side by side.
import '../shared/verbatim.ts'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { showAccent } from '../shared/accent.ts'
import './take.css'
import { runClock } from './clock.ts'
import { runSaver } from './saving.ts'
import { boot, taking } from './session.ts'
import { resync } from './handing_in.ts'
import { pace } from './warnings.ts'
import { App } from './app.tsx'

effect(() => showAccent(taking.value?.organization.accentColor))
runClock(() => void resync(), pace)
runSaver()
render(<App />, document.getElementById('app')!)
void boot()
