import { render } from 'preact'
import './take.css'
import { App } from './app.tsx'
import { runClock } from './clock.ts'
import { boot, resync } from './session.ts'

runClock(() => void resync())
setInterval(() => void resync(), 60_000)
render(<App />, document.getElementById('app')!)
void boot()
