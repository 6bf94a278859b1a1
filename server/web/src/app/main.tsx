import '../shared/verbatim.ts'
import { render } from 'preact'
import './app.css'
import { App } from './app.tsx'
import { ask, onRefusal, v1 } from './core/api.ts'
import { forget } from './core/query.ts'
import { me } from './core/me.ts'
import { onStart, start, state } from './core/session.ts'
import { showAccent } from '../shared/accent.ts'

onStart(async () => {
  const answer = await ask(v1.GET('/v1/me'))
  if (!answer.ok) return false
  if (me.value?.id !== answer.data.id) forget()
  me.value = answer.data
  state.value = 'in'
  showAccent(answer.data.organization.accentColor)
  return true
})

onRefusal({
  reauthentication_required: async () => (await import('./second_factor/entry.ts')).prove(),
  second_factor_setup_required: () => {
    // The organization has begun to require it.
    if (me.value) me.value = { ...me.value, mustAddSecondFactor: true }
    return false
  },
})

render(<App />, document.getElementById('app')!)
void start()
