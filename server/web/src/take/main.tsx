import '../shared/verbatim.ts'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { showAccent } from '../shared/accent.ts'
import './take.css'
import { App } from './app.tsx'
import { runClock } from './clock.ts'
import { resync } from './handing_in.ts'
import { runSaver } from './saving.ts'
import { boot, taking } from './session.ts'

effect(() => showAccent(taking.value?.organization.accentColor))
runClock(() => void resync())
runSaver()
render(<App />, document.getElementById('app')!)
void boot()
