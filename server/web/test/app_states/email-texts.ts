// States of the texts of emails to candidates.
import { ok, organization } from '../support/api.ts'
import { long } from '../support/assessments.ts'
import { answer } from '../support/network.ts'
import type { State } from './types.ts'

const words = {
  kind: 'INVITE',
  locale: 'en',
  subject: 'Come and cook with us: {{assessmentTitle}}',
  text: 'Dear {{candidateName}},\n\nwe liked your application. {{organizationName}} invites you to a short test.\nPlease start by {{lastDay}}.',
} as const

/** The frame of the preview runs no scripts, not even scripts of the tests. */
const noScripts = [/Blocked script execution in 'about:srcdoc'/]

export const states: State[] = [
  {
    name: 'app-email-texts',
    async reach(open) {
      const user = await open(await organization(), '/settings#words')
      await user.page.locator('#words textarea').waitFor()
      await user.page.locator('#words-title').scrollIntoViewIfNeeded()
      return user
    },
  },
  {
    name: 'app-email-texts-preview',
    async reach(open) {
      const made = await organization({ accentColor: '#0b7a5d' })
      const assessmentId = await made.publish(long(3))
      await ok(made.api.PUT('/v1/email-texts', { body: { ...words, assessmentId } }))
      const user = await open(made, `/assessments/${assessmentId}/settings`, { allow: noScripts })
      await user.button('emailTexts.preview').click()
      await user.page.locator('section:has(iframe) summary').click()
      await user.page.frameLocator('.email-texts iframe').getByText('we liked your application').waitFor()
      return user
    },
  },
  {
    name: 'app-email-texts-arabic',
    async reach(open) {
      const user = await open(await organization(), '/settings?email=REMINDER&language=ar', { allow: noScripts })
      await user.button('emailTexts.preview').click()
      await user.page.locator('#words iframe').waitFor()
      return user
    },
  },
  {
    name: 'app-email-texts-faults',
    async reach(open) {
      const user = await open(await organization(), '/settings')
      await user.page.locator('#words textarea').fill('Dear {{name}}')
      await user.button('emailTexts.save').click()
      await user.read('emailTexts.unknown')
      return user
    },
  },
  {
    name: 'app-email-texts-conflict',
    async reach(open) {
      const made = await organization()
      const user = await open(made, '/settings?language=en', { allow: [/412/] })
      await user.page.locator('#words [name=subject]').fill('Your test at {{organizationName}}')
      await ok(made.api.PUT('/v1/email-texts', { body: words }))
      await user.button('emailTexts.save').click()
      await user.button('emailTexts.conflict.over').waitFor()
      await user.page.locator('#words [role=alert]').scrollIntoViewIfNeeded()
      return user
    },
  },
  {
    name: 'app-email-texts-reset',
    async reach(open) {
      const made = await organization()
      await ok(made.api.PUT('/v1/email-texts', { body: words }))
      const user = await open(made, '/settings?language=en')
      await user.button('emailTexts.reset').click()
      await user.dialog('emailTexts.reset.title').waitFor()
      return user
    },
  },
  {
    name: 'app-email-texts-read-only',
    async reach(open) {
      const user = await open(await organization(), '/settings', { role: 'MEMBER' })
      await user.page.locator('#words textarea').waitFor()
      return user
    },
  },
  {
    name: 'app-email-texts-fault',
    async reach(open) {
      const requestId = 'req_01m6gagea5f23rz6arqmjfkxcm'
      const user = await open(await organization(), '/settings', {
        allow: [/^500: .*\/v1\/email-texts/],
        before: (page) => answer(page, '/v1/email-texts', { status: 500, code: 'internal', requestId }),
      })
      await user.page.getByText(requestId).waitFor()
      return user
    },
  },
]
