// The states of the page that have to do with the voluntary questions at the end.
import { settings, state, type Opener, type State } from './support/states.ts'
import { abort } from './support/network.ts'
import { asked, finish } from './support/voluntary.ts'

/** Finishes an assessment whose organization has a page of its own, and chooses an answer. */
async function choosing(open: Opener) {
  const { supportEmail, timeZone, accentColor } = settings
  const redirectUrl = 'https://harbour-kitchens.example/done'
  const invite = await asked({ redirectUrl }, { supportEmail, timeZone, accentColor })
  const candidate = await open(invite.link)
  await finish(candidate)
  await candidate.page.getByRole('radio', { name: 'Female' }).check()
  return candidate
}

export const states: State[] = [
  state('voluntary', choosing),
  state('voluntary-saved', async (open) => {
    const candidate = await choosing(open)
    await candidate.button('voluntary.send').click()
    await candidate.read('voluntary.saved')
    return candidate
  }),
  state('voluntary-offline', async (open) => {
    const candidate = await choosing(open)
    await abort(candidate.page, '/v1/candidate/session/self-identification')
    await candidate.button('voluntary.send').click()
    await candidate.read('page.unreachable.title')
    return candidate
  }),
]
