// In every state, a page that the browser has translated shows what it means, also in another language.
import { after, describe, test } from 'node:test'
import { states as accountStates } from './account_states.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { Member } from './support/member.ts'
import { checkTranslated, visitTranslated } from './support/translation.ts'
import { states as takeStates } from './states.ts'

after(disconnect)

describe('37: Every state of the candidate page can be translated', { concurrency: 2 }, () => {
  for (const { name, reach } of takeStates) {
    test(name, async (t) => {
      const { page } = await reach(async (link, options) => new Candidate(await visitTranslated(t, link, options)))
      await checkTranslated(page)
    })
  }
})

describe('37: Every state of the page for passwords can be translated', { concurrency: 2 }, () => {
  for (const { name, reach } of accountStates) {
    test(name, async (t) => {
      const { page } = await reach(async (link, options) => new Member(await visitTranslated(t, link, options)))
      await checkTranslated(page)
    })
  }
})
