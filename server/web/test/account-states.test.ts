// What holds in every state of the page for passwords, in English and German.
import { after, describe, test } from 'node:test'
import { states } from './account_states.ts'
import { disconnect } from './support/chromium.ts'
import { checkState } from './support/every_state.ts'
import { Member } from './support/member.ts'
import { open } from './support/page.ts'

after(disconnect)

describe('Every state can be seen, reached, and read', { concurrency: 2 }, () => {
  for (const { name, reach } of states) {
    test(name, async (t) => {
      const { page } = await reach(async (link, options) => new Member((await open(t, link, options)).page))
      await checkState(page, name, 'account')
    })
    test(`${name} in German`, async (t) => {
      await reach(async (link, options) => {
        const { page } = await open(t, link, { ...options, locale: 'de-AT', viewport: { width: 360, height: 740 } })
        return new Member(page, 'de')
      })
    })
  }
})
