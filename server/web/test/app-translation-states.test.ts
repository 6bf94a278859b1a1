// In every state, a dashboard that the browser has translated shows what it means, also in another language.
import { after, describe, test } from 'node:test'
import { states } from './app_states/all.ts'
import { disconnect } from './support/chromium.ts'
import { signedIn, User } from './support/dashboard.ts'
import { checkTranslated, visitTranslated } from './support/translation.ts'

after(disconnect)

describe('Every state of the dashboard can be translated', { concurrency: 2 }, () => {
  for (const { name, reach } of states) {
    test(name, async (t) => {
      const { page } = await reach(async (...given) => {
        const { link, settings } = await signedIn(...given)
        return new User(await visitTranslated(t, link, settings))
      })
      await checkTranslated(page)
    })
  }
})
