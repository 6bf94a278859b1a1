import { effect } from '@preact/signals'
import { render } from 'preact'
import { showAccent } from '../shared/accent.ts'
import './take.css'
import { App } from './app.tsx'
import { runClock } from './clock.ts'
import { choose } from './languages.ts'
import { boot, resync, taking } from './session.ts'

void choose('en')
effect(() => showAccent(taking.value?.organization.accentColor))
runClock(() => void resync())
setInterval(() => void resync(), 60_000)
render(<App />, document.getElementById('app')!)
void boot()
