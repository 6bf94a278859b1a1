// One candidate: the result, the actions in each status, and the page for paper.
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { asCandidate, eventually, ok, organization, type Invite, type Organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard as open, type DashboardOptions, type User } from './support/dashboard.ts'
import { allBut, finished, kitchen, possibleAnswers, work } from './support/results.ts'
import { sharedServer } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

let prepared: Promise<{ made: Organization; id: string; invites: Invite[] }> | undefined

/** An organization with eight finished candidates, which the tests of this file share. */
const shared = () =>
  (prepared ??= (async () => {
    const made = await organization({ timeZone: 'Europe/Berlin' })
    const id = await made.publish(kitchen)
    return { made, id, invites: await finished(made, id, 8) }
  })())

/** Each page has a person of its own, because the sign-ins of one person are limited. */
const dashboard = (t: TestContext, made: Organization, path: string, options: DashboardOptions = {}): Promise<User> =>
  open(t, made, path, { role: 'ADMIN', ...options })

const openMenu = async (user: User, item: string) => {
  await user.page.locator('.head .more > summary[aria-label]').click()
  await user.page
    .locator('.head .menu')
    .getByRole('button', { name: user.text(item) })
    .press('Enter')
}

/** Runs in the page. The policies of the page do not permit to read the clipboard. */
function recordClipboard(): void {
  const { clipboard } = navigator
  const write = clipboard.writeText.bind(clipboard)
  clipboard.writeText = (text) => {
    ;(window as unknown as { copied?: string }).copied = text
    return write(text)
  }
}

describe('A result', { concurrency: 2 }, () => {
  test('says how far the candidate is from the passing score and the gates', async (t) => {
    const { made, invites } = await shared()
    const { sessionId, candidateName } = invites[4]!
    const user = await dashboard(t, made, `/candidates/${sessionId}`)
    await user.page.getByRole('heading', { level: 1, name: candidateName }).waitFor()
    await user.page.getByText('8.1 percentage points below the passing score of 70%').waitFor()
    await user.page.getByText(/^27.78 percentage points above the gate of 50% · 7 of 9 points/).waitFor()
    await user.page.getByText(/^17.14 percentage points below the gate of 60% · This gate does not stop candidates/).waitFor()
    await user.page.getByText(user.text('candidate.percentile.few')).waitFor()
  })

  test('has a timeline that shows another device and another network', async (t) => {
    const { made, id } = await shared()
    const invite = await made.invite(id)
    const call = (method: string, path: string, userAgent: string, body?: object) =>
      fetch(`${sharedServer()}/v1/candidate/session${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${new URL(invite.link).hash.slice(1)}`,
          'Content-Type': 'application/json',
          'User-Agent': userAgent,
        },
        ...(body && { body: JSON.stringify(body) }),
      }).then((response) => assert.equal(response.status, 200))
    const laptop = 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0'
    await call('POST', '/start', laptop, { clientId: 'one' })
    await call('GET', '/stage', 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36')
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    const entries = user.page.locator('.timeline li')
    const entry = (type: 'STARTED' | 'DEVICE_CHANGED') =>
      entries.filter({ hasText: user.text(`candidate.timeline.${type}`) })
    await entry('DEVICE_CHANGED').getByText(/^Chrome on Android, network 127\.0\.0\.1$/).waitFor()
    await entry('STARTED').getByText(/^Firefox on Windows, network/).waitFor()
    await entries.getByText(user.text('candidate.timeline.unscored')).waitFor()
  })

  test('shows wrong answers beside the key, in one press', async (t) => {
    const { made, invites } = await shared()
    const user = await dashboard(t, made, `/candidates/${invites[4]!.sessionId}`)
    await user.page.getByRole('link', { name: 'Not right 3' }).click()
    await user.page.waitForURL(/answers=wrong/)
    await until(async () => assert.equal(await user.page.locator('.answered').count(), 3))
    const first = user.page.locator('.answered').first()
    await first.getByText(/^Question 1 · Wrong · 0 of 2 points$/).waitFor()
    await first.locator('li.is-chosen', { hasText: '41 °C' }).getByText('Chosen', { exact: true }).waitFor()
    await first.locator('li.is-correct', { hasText: '57 °C' }).getByText('Correct', { exact: true }).waitFor()
    await until(async () => assert.equal(await first.locator('strong').innerText(), 'hot', 'the prompt is HTML'))

    await user.page.goBack()
    await user.page.waitForURL((url) => !url.search)
    await user.page.locator('.marks').nth(1).getByRole('link').nth(1).click()
    await user.page.waitForURL(/question=/)
    const focused = user.page.locator('.answered:focus')
    await focused.getByText('sesame / sesame seed').waitFor()
  })

  test('of a candidate who stopped at a gate says which one', async (t) => {
    const { made, invites } = await shared()
    const user = await dashboard(t, made, `/candidates/${invites[3]!.sessionId}`)
    await user.page.getByText('Below the gate of “Temperatures”').waitFor()
    await until(async () =>
      assert.equal(await user.page.getByText(user.text('candidate.stage.notReached'), { exact: true }).count(), 2),
    )
    await user.page.getByText(user.text('candidate.note.disqualified')).waitFor()
  })

  test('fits on two pages of paper, without the navigation', async (t) => {
    const { made, invites } = await shared()
    const user = await dashboard(t, made, `/candidates/${invites[7]!.sessionId}`)
    await user.page.getByText(/below the passing score/).waitFor()
    await user.page.emulateMedia({ media: 'print' })
    await until(async () => assert.equal(await user.page.getByRole('navigation').filter({ visible: true }).count(), 0))
    await until(async () => assert.equal(await user.page.getByText(/^Printed on /).isVisible(), true))
    await until(async () =>
      assert.equal(
        await user.page.locator('.print-answers tbody tr:not(.print-stage)').filter({ visible: true }).count(),
        10,
      ),
    )
    const paper = await user.page.pdf({ format: 'A4' })
    const pages = paper.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
    assert.ok(pages >= 1 && pages <= 2, `${pages} pages`)
  })

  test('is printed without correct answers, unless the person asks for them this time', async (t) => {
    const { made, invites } = await shared()
    const user = await dashboard(t, made, `/candidates/${invites[4]!.sessionId}`)
    const { page } = user
    await page.getByText(/below the passing score/).waitFor()
    // The dialog of the browser would wait for a person.
    await page.evaluate(() => {
      window.print = () => void (document.documentElement.dataset.prints = `${Number(document.documentElement.dataset.prints ?? 0) + 1}`)
    })
    const print = async (choice: string, count: number) => {
      await page.locator('.head summary', { hasText: user.text('candidate.print') }).click()
      await user.button(choice).click()
      await page.locator(`html[data-prints="${count}"]`).waitFor()
    }
    await page.emulateMedia({ media: 'print' })
    const paper = () => page.locator('body').innerText()
    const expectNone = () =>
      until(async () => {
        const shown = await paper()
        assert.ok(shown.includes(user.text('candidate.print.short')), shown)
        assert.match(shown, /A tray of cooked rice[^?]*\?\s+0 \/ 2\s/, 'the points of each question')
        assert.deepEqual(possibleAnswers(kitchen).filter((answer) => shown.includes(answer)), [])
      })
    await expectNone()
    await page.emulateMedia({ media: null })
    await print('candidate.print.without', 1)
    await page.emulateMedia({ media: 'print' })
    await expectNone()
    await page.emulateMedia({ media: null })
    await print('candidate.print.with', 2)
    await page.emulateMedia({ media: 'print' })
    const full = await paper()
    for (const part of ['57 °C', '41 °C', '74 ± 0.5', 'sesame / sesame seed', user.text('candidate.print.full')])
      assert.ok(full.includes(part), `${part} is not in ${full}`)
    const file = await page.pdf({ format: 'A4' })
    const pages = file.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
    assert.ok(pages >= 1 && pages <= 2, `${pages} pages`)
    // The browser has reported to the page that printing has ended.
    await expectNone()
  })

  test('appears by itself when the candidate finishes', async (t) => {
    const { made, id } = await shared()
    const invite = await made.invite(id, { candidateName: 'Sofia Rossi' })
    await work(invite, kitchen, allBut(), 1)
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`, { before: (page) => page.clock.install() })
    await user.page.getByText(/^4 of 10 questions answered\./).waitFor()
    for (const stage of [1, 2]) {
      const { id: stageId } = await ok(invite.candidate.GET('/v1/candidate/session/stage'))
      await ok(invite.candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId } }))
      if (stage === 1) {
        await user.page.clock.runFor(11_000)
        await user.page
          .getByText(/^Submitted/)
          .nth(1)
          .waitFor()
      }
    }
    await user.page.clock.runFor(16_000)
    await user.page.getByText('42.86%').first().waitFor()
    await user.page.getByText(user.text('candidate.notPassed'), { exact: true }).first().waitFor()
  })
})

describe('The actions', { concurrency: 2 }, () => {
  test('of an invite: copy the link, change it, renew it', async (t) => {
    const { made, id } = await shared()
    const { sessionId, token, link } = await made.invite(id)
    const user = await dashboard(t, made, `/candidates/${sessionId}`, {
      before: async (page, context) => {
        await context.grantPermissions(['clipboard-write'])
        await page.addInitScript(recordClipboard)
      },
    })
    await user.button('candidate.link.copy').click()
    await user.page.getByText(user.text('candidate.link.copied')).first().waitFor()
    assert.equal(await user.page.evaluate(() => (window as unknown as { copied?: string }).copied), link)

    await openMenu(user, 'candidate.change')
    // The next 15 January: in the future, within a year, and in winter.
    const year = new Date(Date.now() + 351 * 86_400_000).getFullYear()
    await user.field('candidate.change.expiry').fill(`${year}-01-15T18:00`)
    await user.field('candidate.change.extra').fill('25')
    await user.button('candidate.change.submit').click()
    await user.page.getByText(user.text('candidate.change.done')).first().waitFor()
    const changed = await made.session(sessionId)
    assert.deepEqual(
      [changed.expiresAt, changed.extraTimePercent],
      [`${year}-01-15T17:00:00.000Z`, 25],
      'the zone is Berlin',
    )

    await user.button('candidate.resend').click()
    await user.button('candidate.resend.create').click()
    await user.page
      .getByText(/^The new link works until/)
      .first()
      .waitFor()
    assert.notEqual((await made.session(sessionId)).inviteUrl, link)
    const { response } = await asCandidate(token).GET('/v1/candidate/session')
    assert.equal(response.status, 401, 'the old link has ended')
    await user.page.getByText(user.text('candidate.timeline.RESENT')).waitFor()
  })

  test('of an expired invite to another attempt: a new link needs the consent that the rule asks for', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const first = await made.invite(id, { candidateName: 'Noor Haddad' })
    await work(first, kitchen, allBut())
    const { candidateEmail } = await made.session(first.sessionId)
    await ok(made.api.PATCH('/v1/assessments/{id}', { params: { path: { id } }, body: { repeatRule: 'ASK' } }))
    const { sessionId } = await made.invite(id, {
      candidateName: 'Noor Haddad',
      candidateEmail,
      onExisting: 'NEW_ATTEMPT',
      allowRepeat: true,
      expiresAt: new Date(Date.now() + 1500).toISOString(),
    })
    await eventually(() => made.session(sessionId), ({ status }) => status === 'EXPIRED')
    const user = await dashboard(t, made, `/candidates/${sessionId}`)
    await user.button('candidate.resend').click()
    await user.button('candidate.resend.create').click()
    const consent = user.page.getByRole('checkbox', { name: user.text('candidate.resend.again', { name: 'Noor Haddad' }) })
    await consent.check()
    await user.button('candidate.resend.create').click()
    await user.page
      .getByText(/^The new link works until/)
      .first()
      .waitFor()
    assert.equal((await made.session(sessionId)).status, 'INVITED')
  })

  test('of a session in progress: more time with a reason, and cancel', async (t) => {
    const { made, id } = await shared()
    const invite = await made.invite(id)
    await work(invite, kitchen, allBut(), 1)
    const before = (await made.session(invite.sessionId)).deadlineAt!
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    await user.button('candidate.extend').click()
    const dialog = user.page.getByRole('dialog')
    await dialog.getByRole('button', { name: user.text('candidate.extend.submit') }).click()
    await dialog.getByText(user.text('field.required')).waitFor()
    await user.field('candidate.extend.reason').fill('The connection failed')
    await dialog.getByRole('button', { name: user.text('candidate.extend.submit') }).click()
    await user.page.getByText('Reason: The connection failed').waitFor()
    const after = (await made.session(invite.sessionId)).deadlineAt!
    assert.equal(Date.parse(after) - Date.parse(before), 15 * 60_000)

    await openMenu(user, 'candidate.cancel')
    const question = user.page.getByRole('dialog')
    await question.getByText(user.text('candidate.cancel.progress')).waitFor()
    await question.getByRole('button', { name: user.text('candidate.cancel.submit') }).click()
    await user.page.getByText(/^The session was cancelled/).waitFor()
    assert.equal((await made.session(invite.sessionId)).status, 'CANCELLED')
  })


  test('erase needs the name, and keeps the score', async (t) => {
    const { made, id } = await shared()
    const invite = await made.invite(id, { candidateName: 'Grace Lee' })
    await work(invite, kitchen, allBut(9))
    const user = await dashboard(t, made, `/candidates/${invite.sessionId}`)
    await openMenu(user, 'candidate.erase')
    const dialog = user.page.getByRole('dialog')
    const erase = dialog.getByRole('button', { name: user.text('candidate.erase.submit') })
    await erase.press('Enter')
    assert.equal((await made.session(invite.sessionId)).erasedAt, null, 'nothing happens without the name')
    await dialog.getByRole('textbox').fill('grace lee')
    await erase.click()
    await user.see('candidate.erased')
    await user.page.getByText('90.48%').first().waitFor()
    await user.page.getByText(user.text('candidate.answers.erased')).waitFor()
    await until(async () => assert.equal(await user.page.getByText('Grace Lee').count(), 0))

    const member = await dashboard(t, made, `/candidates/${(await shared()).invites[0]!.sessionId}`, { role: 'MEMBER' })
    await openMenu(member, 'candidate.erase')
    await member.page.getByText(member.text('role.needsAdmin')).first().waitFor()
    assert.equal(await member.page.getByRole('dialog').count(), 0)
  })

  test('a candidate that does not exist', async (t) => {
    const { made } = await shared()
    const user = await dashboard(t, made, '/candidates/ses_01m7w6c3808a9d9sr9vwmxdq9q')
    await user.page.getByText(user.text('problem.not_found')).waitFor()
  })
})
