import { render } from 'preact'
import './take.css'
import { App } from './app.tsx'
import { runClock } from './clock.ts'
import en from './locales/en.json'
import { setFallback, setLanguage } from '../shared/i18n.tsx'
import { boot, resync } from './session.ts'

setFallback(en)
setLanguage({ tag: 'en', name: 'English', messages: en })
runClock(() => void resync())
setInterval(() => void resync(), 60_000)
render(<App />, document.getElementById('app')!)
void boot()
