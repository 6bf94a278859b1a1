// What holds in every state of the page: accessibility, sizes, and layout.
import { after, describe, test } from 'node:test'
import { disconnect } from './support/chromium.ts'
import { checkState } from './support/every_state.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { states } from './states.ts'

after(disconnect)

describe('32, 33, 34: Every state can be seen, reached, and read', { concurrency: 2 }, () => {
  for (const { name, reach } of states) {
    test(name, async (t) => {
      const { page } = await reach(async (link, options) => new Candidate((await open(t, link, options)).page))
      await checkState(page, name)
    })
  }
})
