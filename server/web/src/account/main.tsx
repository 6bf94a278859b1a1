import '../shared/verbatim.ts'
import { render } from 'preact'
import './account.css'
import { App } from './app.tsx'

render(<App />, document.getElementById('app')!)
