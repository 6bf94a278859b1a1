// Whatever people write can be read in the dashboard on a small phone, at 400 %, and on paper.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ok, organization, type Invite, type Organization, type Schemas } from './support/api.ts'
import { bank } from './support/bank.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { everywhere, hostileTexts, unreadable, type Texts } from './support/hostile.ts'
import { unprintable } from './support/paper.ts'

after(disconnect)

// The outline and the lists show the beginning of a text that their own screen shows whole.
const abridged = [
  '.who', '.org', '.editor-outline .name', '.candidates-list td .title', '.filter-menu > summary', '.compare-name',
  '.compare-prompt', '.column-list .cells',
].join()

type Made = { texts: Texts; id: string; draft: string; finished: Invite; working: Invite; invited: Invite }

/** An assessment with the text everywhere, and candidates in three states. */
async function filled(owner: Organization, texts: Texts): Promise<Made> {
  const { line, markdown } = texts
  const made = everywhere(texts)
  const id = await owner.publish(made)
  const stages = [{ title: line.slice(0, 190), questions: [freeTextOf(texts)] }, ...made.stages!]
  const { id: draft } = await ok(owner.api.POST('/v1/assessments', { body: { ...made, stages } }))
  const more = {
    candidateName: line.slice(0, 190),
    externalId: line.slice(0, 190),
    metadata: { [line.slice(0, 38)]: line },
  }
  const [finished, working, invited] = await Promise.all([1, 2, 3].map(() => owner.invite(id, more)))
  await answer(finished!, line, 3)
  await answer(working!, line, 1)
  const path = { id: finished!.sessionId }
  const note = `${markdown}\n\n${line}`.slice(0, 1900)
  await ok(owner.api.PATCH('/v1/candidate-sessions/{id}', { params: { path }, body: { note } }))
  return { texts, id, draft, finished: finished!, working: working!, invited: invited! }
}

/** A question that people grade. It is only in the draft, so that sessions end without them. */
function freeTextOf({ line, markdown }: Texts): Schemas['QuestionInput'] {
  const criterion = { title: line.slice(0, 190), points: 1, description: `${markdown}\n\n${line}`.slice(0, 1900) }
  const rubric = ['a', 'b'].map((id) => ({ id, ...criterion }))
  return { type: 'FREE_TEXT', prompt: markdown, explanation: markdown, points: 2, maxWords: 100, rubric }
}

/** Answers the questions of the first stages, with the text where a question asks for one. */
async function answer({ candidate }: Invite, text: string, stages: number): Promise<void> {
  await ok(candidate.POST('/v1/candidate/session/start'))
  for (let at = 0; at < stages; at++) {
    const next = await ok(candidate.GET('/v1/candidate/session/stage'))
    const start = () => ok(candidate.POST('/v1/candidate/session/stage/start', { body: { stageId: next.id } }))
    const stage = next.status === 'READY' ? await start() : next
    const given = {
      SINGLE_CHOICE: { optionId: 'b' },
      MULTIPLE_CHOICE: { optionIds: ['b', 'c'] },
      NUMERIC: { number: 2 },
      SHORT_TEXT: { text },
    }
    const answers = stage.questions.map(({ id, type }) => ({
      questionId: id, revision: 1, seenRevision: 0, answer: given[type as keyof typeof given],
    }))
    const body = { stageId: stage.id, clientId: 'page', answers }
    await ok(candidate.POST('/v1/candidate/session/stage/submit', { body }))
  }
}

/** An organization whose people write only such texts. */
async function prepare(texts: Texts) {
  const { line, markdown } = texts
  const owner = await organization({ name: line.slice(0, 190), privacyNotice: markdown })
  const made = await filled(owner, texts)
  const name = line.slice(0, 90)
  await ok(owner.api.POST('/v1/api-keys', { body: { name, scopes: ['candidates:write', 'results:read'] } }))
  const email = `${'long.'.repeat(12)}x@${'domain-'.repeat(8)}x.example`
  await ok(owner.api.POST('/v1/members', { body: { name, role: 'MEMBER', email } }))
  const url = `https://${'hooks-'.repeat(9)}x.example/${'path'.repeat(30)}`
  const hook = { url, description: line.slice(0, 190), events: ['candidate.invited' as const] }
  const { id: webhook } = await ok(owner.api.POST('/v1/webhooks', { body: hook }))
  const tags = [line.replaceAll(',', ' ').slice(0, 38)]
  const { id: question } = await bank(owner, freeTextOf(texts), tags)
  const hold = { sessionId: made.finished.sessionId, reason: line.slice(0, 490) }
  await ok(owner.api.POST('/v1/legal-holds', { body: hold }))
  return { owner, made, webhook, question }
}

/** Shows a screen, with the rest of it that a person can open. */
async function show(user: User, path: string): Promise<void> {
  const { page } = user
  await page.goto(new URL(`/app${path}`, page.url()).href)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const parts = document.querySelectorAll<HTMLDetailsElement>('main details:not(.more, .filter-menu)')
    for (const details of parts) details.open = true
  })
}

/** The screens with texts of the organization. */
function screens({ made, webhook, question }: Awaited<ReturnType<typeof prepare>>) {
  const { id, draft, finished, working, invited } = made
  return {
    printed: [
      `/candidates/${finished.sessionId}`,
      `/candidates/${working.sessionId}`,
      `/compare?ids=${[finished, working, invited].map(({ sessionId }) => sessionId).join()}`,
      `/assessments/${id}/questions`,
      '/candidates',
    ],
    others: [
      '/',
      '/assessments',
      '/members',
      '/api-keys',
      '/webhooks',
      `/webhooks/${webhook}`,
      '/events',
      '/audit-log',
      '/settings',
      '/settings/data-protection',
      '/settings/sign-in',
      `/assessments/${id}`,
      `/assessments/${id}/settings`,
      `/assessments/${id}/candidates`,
      `/assessments/${draft}/edit`,
      '/questions',
      `/questions/${question}`,
      `/questions/${question}?edit=true`,
      `/questions/${question}?part=versions`,
    ],
  }
}

describe('hostile texts can be read in the dashboard, and on paper', { concurrency: 2 }, () => {
  for (const [kind, texts] of Object.entries(hostileTexts)) {
    test(kind, async (t) => {
      const all = await prepare(texts)
      const user = await dashboard(t, all.owner, '/')
      const faults: Record<string, unknown> = {}
      const { printed, others } = screens(all)
      for (const path of [...printed, ...others]) {
        await show(user, path)
        const found = await unreadable(user.page, abridged)
        const hidden = printed.includes(path) ? await unprintable(user.page) : []
        if (Object.keys(found).length > 0) faults[path] = found
        if (hidden.length > 0) faults[`${path} on paper`] = hidden
      }
      assert.deepEqual(faults, {})
    })
  }
})
