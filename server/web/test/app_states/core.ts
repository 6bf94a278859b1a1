// States of the frame.
import { organization } from '../support/api.ts'
import type { State } from './types.ts'

export const states: State[] = [
  {
    name: 'app-not-found',
    async reach(open) {
      const user = await open(await organization(), '/nothing-here')
      await user.see('page.notFound.title')
      return user
    },
  },
  {
    name: 'app-shortcuts',
    async reach(open) {
      const user = await open(await organization(), '/nothing-here')
      await user.see('page.notFound.title')
      await user.page.keyboard.press('?')
      await user.dialog('shortcuts.title').waitFor()
      return user
    },
  },
]
