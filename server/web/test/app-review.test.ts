// The review of a candidate: two people decide and comment beside each other.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { kitchen } from './support/results.ts'
import { until } from './support/until.ts'

after(disconnect)

async function made() {
  const owner = await organization()
  const invite = await owner.invite(await owner.publish(kitchen))
  const path = { id: invite.sessionId }
  const review = () => ok(owner.api.GET('/v1/candidate-sessions/{id}/review', { params: { path } }))
  return { owner, path, review }
}

test('a person who looked at an old state is told, and both changes stay', async (t) => {
  const { owner, path, review } = await made()
  const user = await dashboard(t, owner, `/candidates/${path.id}`)
  const select = user.page.getByLabel(user.text('candidate.review.state'), { exact: true })
  await select.selectOption('shortlisted')
  await user.field('candidate.review.reason').fill('Strong in both stages')
  // A colleague was faster.
  await ok(
    owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { params: { path }, body: { stateId: 'rejected' } }),
  )
  await user.button('candidate.review.change').click()
  await user.read('problem.state_changed')
  assert.equal(await user.field('candidate.review.reason').inputValue(), 'Strong in both stages')
  await user.page.getByText(/^“Rejected” by/).waitFor()
  await user.field('candidate.review.reason').fill('I disagree')
  await user.button('candidate.review.change').click()
  await user.page.getByText(user.text('candidate.timeline.reason', { reason: 'I disagree' })).waitFor()
  const { state, changes } = await review()
  assert.equal(state.id, 'shortlisted')
  assert.deepEqual(
    changes.map(({ from, to }) => `${from.id} ${to.id}`),
    ['rejected shortlisted', 'new rejected'],
  )
})

test('comments stand beside each other, and only the author edits one', async (t) => {
  const { owner, path, review } = await made()
  await ok(owner.api.PATCH('/v1/candidate-sessions/{id}', { params: { path }, body: { note: 'Call on Monday' } }))
  await ok(
    owner.api.POST('/v1/candidate-sessions/{id}/review/comments', { params: { path }, body: { text: 'By the owner' } }),
  )
  const user = await dashboard(t, owner, `/candidates/${path.id}`, { role: 'MEMBER' })
  await user.page.getByText('By the owner').waitFor()
  await user.page.getByText('Call on Monday').waitFor()
  await user.field('candidate.comments.label').fill('By a member')
  await user.button('candidate.comments.add').click()
  const items = user.page.locator('.comments > ol > li')
  await items.nth(2).waitFor()
  assert.deepEqual(await items.locator('.note-text').allInnerTexts(), ['By a member', 'By the owner', 'Call on Monday'])
  assert.equal(await items.nth(1).locator('details').count(), 0, 'a member changes no comment of another person')
  await items.nth(0).locator('summary').click()
  await items.nth(0).getByRole('button', { name: user.text('candidate.comments.edit') }).click()
  await items.nth(0).getByRole('textbox').fill('Better words')
  await items.nth(0).getByRole('button', { name: user.text('candidate.comments.save') }).click()
  await items.nth(0).getByText(user.text('candidate.comments.edited')).waitFor()
  await items.nth(0).locator('summary').click()
  await items.nth(0).getByRole('button', { name: user.text('candidate.comments.delete') }).click()
  const dialog = user.page.getByRole('dialog')
  await dialog.getByRole('button', { name: user.text('candidate.comments.delete') }).click()
  await until(async () => assert.deepEqual((await review()).comments.map(({ text }) => text), ['By the owner']))
})

test('an admin edits the list of states, and one with candidates cannot be removed', async (t) => {
  const { owner, path } = await made()
  await ok(
    owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { params: { path }, body: { stateId: 'hired' } }),
  )
  const user = await dashboard(t, owner, '/settings', { role: 'ADMIN' })
  const section = user.page.locator('#states')
  await section.getByLabel(user.text('settings.states.name', { number: 2 })).fill('Interview')
  await section.getByRole('button', { name: user.text('settings.states.add') }).click()
  await section.getByLabel(user.text('settings.states.name', { number: 5 })).fill('Trial shift')
  await section.getByRole('button', { name: user.text('settings.states.up', { name: 'Trial shift' }) }).click()
  await section.getByRole('button', { name: user.text('settings.save') }).click()
  const names = async () => (await ok(owner.api.GET('/v1/review-states'))).states.map(({ name }) => name)
  await until(async () => assert.deepEqual(await names(), ['New', 'Interview', 'Rejected', 'Trial shift', 'Hired']))

  await section.getByRole('button', { name: user.text('settings.states.removeName', { name: 'Hired' }) }).click()
  await section.getByRole('button', { name: user.text('settings.save') }).click()
  await section.getByText(user.text('problem.state_in_use')).waitFor()
  assert.equal((await names()).length, 5)
})

test('several candidates get a state, and the change of a colleague since then is not overwritten', async (t) => {
  const { owner, path } = await made()
  const assessmentId = await owner.publish(kitchen)
  const others = await Promise.all(['Ada Lovelace', 'Lin Qiang'].map((candidateName) => owner.invite(assessmentId, { candidateName })))
  const user = await dashboard(t, owner, '/candidates')
  await user.page.getByLabel(user.text('candidates.selectAll')).check()
  await user.button('candidates.setState').click()
  await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { params: { path }, body: { stateId: 'hired' } }))
  const dialog = user.page.getByRole('dialog')
  await dialog.getByLabel(user.text('candidates.state')).selectOption('rejected')
  await dialog.getByRole('button', { name: user.text('candidates.setState') }).click()
  await dialog.getByText(user.text('candidates.bulk.done', { done: 2, count: 3 })).waitFor()
  await dialog.getByText(user.text('problem.state_changed')).waitFor()
  await dialog.getByRole('button', { name: user.text('candidates.bulk.close') }).last().click()
  await user.page.locator('select', { has: user.page.locator('option[value=rejected]') }).selectOption('rejected')
  await user.read('candidates.count', { count: 2 })
  await user.row('Ada Lovelace').getByText(user.text('reviewState.rejected')).filter({ visible: true }).waitFor()
  for (const { sessionId } of others) {
    const { state } = await ok(
      owner.api.GET('/v1/candidate-sessions/{id}/review', { params: { path: { id: sessionId } } }),
    )
    assert.equal(state.id, 'rejected')
  }
})

test('tags are added and removed by keyboard, and the list shows and filters them', async (t) => {
  const { owner, path, review } = await made()
  const other = await owner.invite(await owner.publish(kitchen))
  await ok(
    owner.api.PATCH('/v1/candidate-sessions/{id}/review/tags', {
      params: { path: { id: other.sessionId } },
      body: { add: ['Night shift'] },
    }),
  )
  const user = await dashboard(t, owner, `/candidates/${path.id}`)
  const { keyboard } = user.page
  const opener = user.button('candidate.tags.add')
  await opener.focus()
  await keyboard.press('Enter')
  const field = user.field('candidate.tags.new')
  await until(async () => assert.ok(await field.evaluate((input) => input === document.activeElement)))
  const suggested = user.page.locator('#review-tags-known option')
  await until(async () => assert.deepEqual(await suggested.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)), ['Night shift']))
  await keyboard.press('Enter')
  await user.read('field.required')
  await keyboard.type('night SHIFT, Speaks French,')
  await keyboard.press('Enter')
  const tags = user.page.locator('.review-tags li')
  await until(async () => assert.deepEqual(await tags.allInnerTexts(), ['Night shift', 'Speaks French']))
  assert.equal(await field.inputValue(), '')
  assert.ok(await field.evaluate((input) => input === document.activeElement), 'the next tag can be typed at once')
  await keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  assert.ok(await opener.evaluate((button) => button === document.activeElement))
  await keyboard.press('Shift+Tab')
  await keyboard.press('Enter')
  await until(async () => assert.deepEqual(await tags.allInnerTexts(), ['Night shift']))
  assert.ok(await opener.evaluate((button) => button === document.activeElement), 'the focus is not lost')
  await user.page.getByText(user.text('candidate.timeline.TAG_REMOVED', { tag: 'Speaks French' })).waitFor()
  await user.page.getByRole('button', { name: user.text('candidate.tags.remove', { tag: 'Night shift' }) }).click()
  await until(async () => assert.deepEqual((await review()).tags, []))

  await user.page.goto(`${owner.baseUrl}/app/candidates`)
  const rows = user.page.locator('tbody tr')
  await until(async () => assert.equal(await rows.count(), 2))
  await user.page.getByRole('combobox', { name: user.text('candidates.tag'), exact: true }).selectOption('Night shift')
  await until(async () => assert.equal(await rows.count(), 1))
  assert.deepEqual(await rows.locator('.candidates-tags').allInnerTexts(), ['Night shift'])
  assert.match(user.page.url(), /tag=Night/)
})

test('a tag that cannot be added says why', async (t) => {
  const { owner, path } = await made()
  const add = Array.from({ length: 20 }, (_, i) => `tag ${i}`)
  await ok(owner.api.PATCH('/v1/candidate-sessions/{id}/review/tags', { params: { path }, body: { add } }))
  const user = await dashboard(t, owner, `/candidates/${path.id}`)
  await user.button('candidate.tags.add').click()
  await user.field('candidate.tags.new').fill('one more')
  await user.button('candidate.tags.save').click()
  await user.page.getByText(user.text('problem.too_many_tags')).waitFor()
  assert.equal(await user.field('candidate.tags.new').inputValue(), 'one more')
})

test('each person has one rating, and the list shows the average and sorts by it', async (t) => {
  const { owner, path, review } = await made()
  await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/rating', { params: { path }, body: { rating: 4 } }))
  const assessmentId = await owner.publish(kitchen)
  const better = await owner.invite(assessmentId, { candidateName: 'Ada Lovelace' })
  await owner.invite(assessmentId, { candidateName: 'Lin Qiang' })
  const user = await dashboard(t, owner, `/candidates/${path.id}`, { role: 'MEMBER' })
  const card = user.page.locator('.review-rating')
  const star = (count: number) => card.getByRole('button', { name: user.text('candidate.rating.value', { value: count }) })
  await card.getByText(user.text('candidate.rating.mean', { count: 1, rating: '4' })).waitFor()
  await star(2).focus()
  await user.page.keyboard.press('Enter')
  await card.getByText(user.text('candidate.rating.mean', { count: 2, rating: '3' })).waitFor()
  assert.equal(await star(2).getAttribute('aria-pressed'), 'true')
  await star(5).click()
  await card.getByText(user.text('candidate.rating.mean', { count: 2, rating: '4.5' })).waitFor()
  assert.equal((await review()).ratings.length, 2, 'the rating of the colleague stays')
  await card.getByRole('button', { name: user.text('candidate.rating.remove') }).click()
  await card.getByText(user.text('candidate.rating.mean', { count: 1, rating: '4' })).waitFor()

  await ok(
    owner.api.PUT('/v1/candidate-sessions/{id}/review/rating', {
      params: { path: { id: better.sessionId } },
      body: { rating: 5 },
    }),
  )
  await user.page.goto(`${owner.baseUrl}/app/candidates`)
  await user.page.getByRole('combobox', { name: user.text('candidates.sort'), exact: true }).selectOption('-rating')
  await user.read('candidates.count', { count: 2 })
  const rows = user.page.locator('tbody tr')
  await until(async () => assert.match((await rows.first().innerText()) ?? '', /Ada Lovelace/))
  await user.page.getByRole('combobox', { name: user.text('candidates.rating'), exact: true }).selectOption('5')
  await user.read('candidates.count', { count: 1 })
})

test('several candidates get tags, and keep their others', async (t) => {
  const { owner, path, review } = await made()
  await ok(owner.api.PATCH('/v1/candidate-sessions/{id}/review/tags', { params: { path }, body: { add: ['French', 'Old'] } }))
  const other = await owner.invite(await owner.publish(kitchen), { candidateName: 'Ada Lovelace' })
  const user = await dashboard(t, owner, '/candidates')
  await user.page.getByLabel(user.text('candidates.selectAll')).check()
  await user.button('candidates.setTags').click()
  const dialog = user.page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: user.text('candidates.setTags.save') })
  await save.click()
  await dialog.getByText(user.text('field.required')).waitFor()
  await dialog.getByLabel(user.text('candidates.setTags.add')).fill('night shift, Evening')
  await dialog.getByLabel(user.text('candidates.setTags.remove')).fill('old')
  await save.click()
  await dialog.getByText(user.text('candidates.bulk.done', { done: 2, count: 2 })).waitFor()
  await dialog.getByRole('button', { name: user.text('candidates.bulk.close') }).last().click()
  await user.row('Ada Lovelace').getByText('Evening').waitFor()
  assert.deepEqual((await review()).tags, ['Evening', 'French', 'night shift'])
  const { tags } = await ok(
    owner.api.GET('/v1/candidate-sessions/{id}/review', { params: { path: { id: other.sessionId } } }),
  )
  assert.deepEqual(tags, ['Evening', 'night shift'])
})
