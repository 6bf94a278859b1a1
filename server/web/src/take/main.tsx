import { render } from 'preact'
import './take.css'
import en from './locales/en.json'
import de from './locales/de.json?url'

const app = document.getElementById('app')
if (app) {
  render(<main data-de={new URL(de, import.meta.url).pathname}><h1>{en.title}</h1></main>, app)
}
