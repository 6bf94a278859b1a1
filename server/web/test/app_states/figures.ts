// States of the screens with figures about a test: the report, groups of candidates, and cut scores.
import { organization } from '../support/api.ts'
import { groups, handbook, withFigures } from '../support/figures.ts'
import type { State } from './types.ts'

const prepared = new Map<string, ReturnType<typeof prepare>>()

async function prepare() {
  const made = await organization()
  return { made, ...(await withFigures(made)) }
}

/** One organization has all states with the full figures. */
function shared() {
  if (!prepared.has('all')) prepared.set('all', prepare())
  return prepared.get('all')!
}

/** A short assessment, so that pictures show its end. */
const short = { ...handbook, stages: [{ ...handbook.stages![0]!, questions: handbook.stages![0]!.questions!.slice(0, 4) }] }

function state(name: string, path: string, key: string): State {
  return {
    name: `figures-${name}`,
    async reach(open) {
      const { made, id, before } = await shared()
      const user = await open(made, `/assessments/${id}/${path}`, { role: 'ADMIN', before })
      await user.read(key)
      return user
    },
  }
}

/** A state of a short assessment of its own, whose figures a function changes. */
function changed(name: string, path: string, key: string, answers: Record<string, unknown>, role: 'ADMIN' | 'MEMBER' = 'ADMIN'): State {
  return {
    name: `figures-${name}`,
    async reach(open) {
      const made = await organization()
      const { id, detail, before } = await withFigures(made, short)
      const ids = detail.stages.flatMap(({ questions }) => questions.map((question) => question.id))
      const user = await open(made, `/assessments/${id}/${path}`, {
        role,
        before: async (page) => {
          await before(page)
          for (const [end, data] of Object.entries(answers)) {
            await page.route(`**/v1/assessments/${id}${end}`, (route) =>
              route.request().method() === 'GET'
                ? route.fulfill({
                    headers: { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' },
                    json: { data: typeof data === 'function' ? data(ids) : data },
                  })
                : route.fallback(),
            )
          }
        },
      })
      await user.read(key)
      return user
    },
  }
}

const ratings = (count: number) => (ids: string[]) => ({
  ratings: ids.slice(0, count).map((questionId, i) => ({ questionId, percent: 60 + 5 * i })),
  cutScore: count >= ids.length ? 67.5 : null,
  updatedAt: count === 0 ? null : '2026-11-20T10:00:00.000Z',
})

const voluntary = {
  questions: groups.questions.map(({ id, text, groups }) => ({
    id,
    text,
    options: groups.map((group) => ({ id: group.id, text: group.text })),
  })),
  updatedAt: '2026-11-20T10:00:00.000Z',
}

export const states: State[] = [
  state('report', 'report', 'report.definitions'),
  changed('report-short', 'report', 'report.definitions', {}),
  changed('report-member', 'report', 'report.groups.role', {}, 'MEMBER'),
  state('groups', 'groups', 'groups.sources'),
  changed('groups-none', 'groups', 'groups.none.title', {
    '/statistics/groups': { computedAt: null, questions: [] },
  }),
  changed('groups-early', 'groups', 'groups.early', {
    '/statistics/groups': {
      computedAt: null,
      questions: groups.questions.map((question) => ({ ...question, hiddenGroups: 0, groups: [] })),
    },
  }),
  changed('groups-voluntary', 'groups', 'groups.settings.laws', { '/self-identification': voluntary }),
  changed('cut-score-new', 'cut-score', 'cutScore.sum.none', { '/cut-score/ratings': ratings(0) }),
  changed('cut-score', 'cut-score', 'cutScore.questions', { '/cut-score/ratings': ratings(4) }),
]
