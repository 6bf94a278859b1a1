import { render } from 'preact'
import './take.css'
<<<<<<< HEAD
import en from './locales/en.json'
import de from './locales/de.json?url'

const app = document.getElementById('app')
if (app) {
  render(<main data-de={new URL(de, import.meta.url).pathname}><h1>{en.title}</h1></main>, app)
}
=======
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
>>>>>>> skeleton
