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
  await user.page.getByLabel(user.text('table.selectAll')).check()
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
