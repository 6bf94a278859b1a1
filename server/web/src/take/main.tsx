import { render } from 'preact'
import './take.css'
import { App } from './app.tsx'
import { runClock } from './clock.ts'
import { resync } from './handing_in.ts'
import { boot } from './session.ts'

runClock(() => void resync())
render(<App />, document.getElementById('app')!)
void boot()
