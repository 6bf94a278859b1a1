import { effect } from '@preact/signals'
import { render } from 'preact'
import { showAccent } from '../shared/accent.ts'
import './take.css'
import { App } from './app.tsx'
import { runClock } from './clock.ts'
import { boot, resync, taking } from './session.ts'

effect(() => showAccent(taking.value?.organization.accentColor))
runClock(() => void resync())
setInterval(() => void resync(), 60_000)
render(<App />, document.getElementById('app')!)
void boot()
