// Data protection in the dashboard: retention, legal holds, data about a person, and the deletion of the organization.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { answer, requestsTo } from './support/network.ts'
import { countSessions, email, hold, protectedPerson } from './support/protection.ts'
import { kitchen } from './support/results.ts'
import { until } from './support/until.ts'

after(disconnect)

const openMenu = async (user: User, item: string) => {
  await user.page.locator('.head .more > summary[aria-label]').click()
  await user.page.locator('.head .menu').getByRole('button', { name: user.text(item) }).press('Enter')
}

describe('Retention', { concurrency: 2 }, () => {
  test('the owner reads what would be erased before it is saved, and from when it is', async (t) => {
    const made = await organization()
    const before = (page: Page) => countSessions(page)
    const user = await dashboard(t, made, '/settings/data-protection#retention', { before })
    const section = user.page.locator('#retention')
    await user.field('protection.retention.kind').selectOption('LIMITED')
    await user.field('protection.retention.months').fill('6')
    await user.field('protection.retention.notStarted').fill('1')
    await section.getByRole('button', { name: user.text('protection.states.add') }).click()
    await user.page.getByLabel(user.text('protection.states.state', { number: 1 })).selectOption('rejected')
    await user.page.getByLabel(user.text('protection.states.months'), { exact: true }).fill('3')
    const previews = requestsTo(user.page, '/v1/retention/preview')
    await section.getByRole('button', { name: user.text('protection.preview.show') }).click()
    await section.getByText(user.text('protection.preview.now', { count: 120 })).waitFor()
    await section.getByText(user.text('protection.preview.soon', { count: 14 })).waitFor()
    await section.getByText(user.text('protection.preview.held', { count: 3 })).waitFor()
    const body = { months: 6, notStartedMonths: 1, states: [{ stateId: 'rejected', months: 3 }] }
    assert.deepEqual(previews[0]!.postDataJSON(), body)

    await section.getByRole('button', { name: user.text('protection.retention.save') }).click()
    const dialog = user.dialog('protection.question.erase')
    await dialog.getByText(user.text('protection.question.erase', { count: 120 })).waitFor()
    assert.equal((await ok(made.api.GET('/v1/retention'))).months, null, 'nothing is saved before the answer')
    await dialog.getByRole('button', { name: user.text('protection.question.submit') }).click()
    await section.getByText(user.pattern('protection.retention.from')).waitFor()
    const saved = await ok(made.api.GET('/v1/retention'))
    assert.deepEqual({ months: saved.months, notStartedMonths: saved.notStartedMonths, states: saved.states }, body)
  })

  test('numbers that the server refuses are refused beside their fields', async (t) => {
    const user = await dashboard(t, await organization(), '/settings/data-protection#retention')
    await user.field('protection.retention.kind').selectOption('LIMITED')
    await user.field('protection.retention.months').fill('6')
    await user.field('protection.retention.notStarted').fill('7')
    const previews = requestsTo(user.page, '/v1/retention/preview')
    await user.page.locator('#retention').getByRole('button', { name: user.text('protection.retention.save') }).click()
    await user.read('protection.retention.range', { max: 6 })
    assert.equal(previews.length, 0)
  })

  test('an admin reads it, and cannot change it', async (t) => {
    const made = await organization()
    await ok(made.api.PUT('/v1/retention', { body: { months: 12 } }))
    const user = await dashboard(t, made, '/settings/data-protection#retention', { role: 'ADMIN' })
    const months = user.field('protection.retention.months')
    assert.equal(await months.inputValue(), '12')
    assert.equal(await months.isDisabled(), true)
    const save = user.page.locator('#retention').getByRole('button', { name: user.text('protection.retention.save') })
    assert.equal(await save.getAttribute('title'), user.text('role.needsOwner'))
  })

  test('an assessment has its own retention, and gives it up', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    await ok(made.api.PUT('/v1/retention', { body: { months: 12 } }))
    const user = await dashboard(t, made, `/assessments/${id}/settings`)
    const section = user.page.locator('#retention')
    const own = () => ok(made.api.GET('/v1/assessments/{id}/retention', { params: { path: { id } } }))
    const choose = async (kind: string) => {
      await user.field('protection.retention.kind').selectOption(kind)
      await section.getByRole('button', { name: user.text('protection.retention.save') }).click()
      const dialog = user.dialog('protection.question.save')
      await dialog.getByRole('button', { name: user.text('protection.question.submit') }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await section.getByText(user.text('protection.retention.inherited', { count: 12 })).waitFor({ state: 'attached' })
    await choose('UNLIMITED')
    await until(async () => assert.deepEqual([(await own()).months, (await own()).inherited], [null, false]))
    await choose('INHERITED')
    await until(async () => assert.deepEqual([(await own()).months, (await own()).inherited], [12, true]))
  })
})

describe('Legal holds', { concurrency: 2 }, () => {
  test('a hold on a candidate is seen, explains why nothing is erased, and is released', async (t) => {
    const made = await organization()
    const { sessionId } = await made.invite(await made.publish(kitchen))
    const user = await dashboard(t, made, `/candidates/${sessionId}`, { role: 'ADMIN' })
    await openMenu(user, 'candidate.hold')
    const dialog = user.dialog('protection.set.title')
    await dialog.getByRole('button', { name: user.text('protection.set.submit') }).click()
    await dialog.getByText(user.text('field.required')).waitFor()
    await dialog.getByRole('textbox').fill('Claim 14-220')
    await dialog.getByRole('button', { name: user.text('protection.set.submit') }).click()
    await user.read('protection.note')
    await user.page.getByText('Claim 14-220').waitFor()

    await openMenu(user, 'candidate.erase')
    await user.read('candidate.erase.held')
    assert.equal(await user.page.getByRole('dialog').count(), 0)

    await user.button('protection.hold.release').click()
    const release = user.dialog('protection.release.title')
    await release.getByRole('button', { name: user.text('protection.release.submit') }).click()
    await until(async () => assert.equal(await user.page.getByText(user.text('protection.note')).count(), 0))
    assert.deepEqual(await ok(made.api.GET('/v1/legal-holds')), [])
  })

  test('a hold on an assessment is listed in the settings, and a member sees neither', async (t) => {
    const made = await organization()
    const id = await made.publish(kitchen)
    const { sessionId } = await made.invite(id)
    const user = await dashboard(t, made, `/assessments/${id}/settings`, { role: 'ADMIN' })
    await user.button('protection.set').click()
    const dialog = user.dialog('protection.set.title')
    await dialog.getByRole('textbox').fill('Audit of the year')
    await dialog.getByRole('button', { name: user.text('protection.set.submit') }).click()
    await user.page.locator('#holds').getByText('Audit of the year').waitFor()
    await user.page.goto(`${made.baseUrl}/app/settings/data-protection#holds`)
    await user.page.locator('#holds').getByText('Audit of the year').waitFor()

    const member = await dashboard(t, made, `/candidates/${sessionId}`, { role: 'MEMBER' })
    await openMenu(member, 'candidate.hold')
    await member.page.getByText(member.text('role.needsAdmin')).first().waitFor()
  })
})

describe('Data about a person', { concurrency: 2 }, () => {
  test('are found, saved as files, and erased except what is held', async (t) => {
    const { made, free, held } = await protectedPerson()
    const user = await dashboard(t, made, '/settings/data-protection#person', { role: 'ADMIN' })
    const section = user.page.locator('#person')
    await user.field('protection.person.email').fill('MEI@candidate.example')
    await user.button('protection.person.find').click()
    await until(async () => assert.equal(await section.locator('tbody tr').count(), 2))
    assert.doesNotMatch(user.page.url(), /candidate\.example/)
    assert.doesNotMatch(await user.page.evaluate(() => JSON.stringify({ ...sessionStorage })), /candidate\.example/)

    const save = async (key: string) => {
      const saving = user.page.waitForEvent('download')
      await user.button(key).click()
      return (await buffer(await (await saving).createReadStream())).toString('utf8')
    }
    assert.match(await save('protection.person.page'), /^<!doctype html>[^]*Head chef/i)
    const json = JSON.parse(await save('protection.person.json')) as { sessions: { id: string }[] }
    assert.deepEqual(json.sessions.map(({ id }) => id).sort(), [free, held].sort())

    await section.getByRole('button', { name: user.text('protection.erase') }).click()
    const dialog = user.dialog('protection.erase.title')
    const erase = dialog.getByRole('button', { name: user.text('protection.erase.submit') })
    await dialog.getByRole('textbox').fill('theo@candidate.example')
    await erase.press('Enter')
    assert.equal((await made.session(free)).erasedAt, null, 'nothing happens without the address')
    await dialog.getByRole('textbox').fill(email)
    await erase.click()
    await section.getByText(user.text('protection.erased', { count: 1 })).waitFor()
    await section.getByText(user.text('protection.erased.held', { count: 1 })).waitFor()
    await until(async () => assert.equal(await section.locator('tbody tr').count(), 1))
    await section.getByRole('link', { name: 'Head chef' }).waitFor()
    assert.notEqual((await made.session(free)).erasedAt, null)
    assert.equal((await made.session(held)).erasedAt, null)
  })

  test('are erased in as many requests as it takes', async (t) => {
    const { made } = await protectedPerson()
    const user = await dashboard(t, made, '/settings/data-protection#person')
    const left = [{ erased: 50, remaining: 20 }, { erased: 20, remaining: 0 }]
    for (const counts of [...left].reverse()) {
      const data = { held: 0, ...counts }
      await answer(user.page, '/v1/candidate-data/erase', { status: 200, requestId: 'req_1', data, times: 1 })
    }
    await user.field('protection.person.email').fill(email)
    await user.button('protection.person.find').click()
    await user.page.locator('#person').getByRole('button', { name: user.text('protection.erase') }).click()
    const dialog = user.dialog('protection.erase.title')
    await dialog.getByRole('textbox').fill(email)
    await dialog.getByRole('button', { name: user.text('protection.erase.submit') }).click()
    await user.read('protection.erased', { count: 70 })
  })
})

describe('The deletion of an organization', { concurrency: 2 }, () => {
  test('with candidates is scheduled by its name, seen by everybody, and cancelled by an owner', async (t) => {
    const made = await organization()
    await made.invite(await made.publish(kitchen))
    const user = await dashboard(t, made, '/settings#delete')
    await user.button('deletion.open').click()
    const dialog = user.dialog('deletion.schedule.title')
    const confirm = dialog.getByRole('button', { name: user.text('deletion.schedule.confirm') })
    await confirm.click()
    await dialog.getByText(user.text('deletion.wrong')).waitFor()
    await dialog.getByLabel(user.text('deletion.label')).fill(made.name)
    await confirm.click()
    await user.read('deletion.at')
    await user.read('deletion.banner')

    const member = await dashboard(t, made, '/candidates', { role: 'MEMBER' })
    await member.read('deletion.banner')
    await member.button('deletion.cancel').press('Enter')
    await member.page.getByText(member.text('role.needsOwner')).first().waitFor()
    assert.notEqual((await ok(made.api.GET('/v1/organization'))).deletion, null)

    await user.page.locator('aside').getByRole('button', { name: user.text('deletion.cancel') }).click()
    await until(async () => assert.equal(await user.page.locator('aside.note').count(), 0))
    await user.button('deletion.open').waitFor()
    assert.equal((await ok(made.api.GET('/v1/organization'))).deletion, null)
  })

  test('is refused while there is a legal hold', async (t) => {
    const made = await organization()
    await hold(made, { assessmentId: await made.publish(kitchen) }, 'Audit')
    await made.invite(await made.publish(kitchen))
    const user = await dashboard(t, made, '/settings#delete')
    await user.button('deletion.open').click()
    const dialog = user.dialog('deletion.schedule.title')
    await dialog.getByLabel(user.text('deletion.label')).fill(made.name)
    await dialog.getByRole('button', { name: user.text('deletion.schedule.confirm') }).click()
    await dialog.getByText(user.text('problem.legal_hold')).waitFor()
  })
})
