// States of the editor with free text, rubrics, and gates at which a person decides.
import { ok, type Assessment, type Schemas } from '../support/api.ts'
import { freeText, singleChoice } from '../support/assessments.ts'
import { edit, state } from './editor.ts'
import type { State } from './types.ts'

const graded: Assessment = {
  title: 'Line cook: food safety',
  stages: [
    {
      title: 'Cooling', gate: { required: true, minScore: 60, onFail: 'REVIEW' }, questions: [freeText, singleChoice],
    },
    { title: 'Allergens', gate: { required: false, minScore: 40 }, questions: [singleChoice] },
  ],
}
const uneven: Schemas['QuestionInput'] = {
  ...freeText,
  rubric: [...freeText.rubric!, { id: 'tidy', title: '', points: 1.5 }],
}

export const states: State[] = [
  state('free-text', graded, edit(1)),
  state('rubric-fault', { ...graded, stages: [{ title: 'Cooling', questions: [uneven] }] }, async (user) => {
    await user.page.locator('.editor-faults').waitFor()
    await edit(1)(user)
    await user.page.locator('.editor-rubric .error', { hasText: user.text('editor.fault.rubric/title.required') }).waitFor()
  }),
  state('gate-review', graded, async (user) => {
    await user.button('editor.stage.edit', { number: 1 }).click()
    await user.page.getByRole('radio', { name: user.text('editor.gate.REVIEW') }).waitFor()
  }),
  state('publish-graded', graded, async (user) => {
    await user.page.getByText(user.text('editor.faults.none')).waitFor()
    await user.button('editor.publish').click()
    await user.page.getByRole('dialog').waitFor()
  }),
  state('print-menu', graded, async (user) => {
    await user.page.locator('summary', { hasText: user.text('editor.print') }).click()
  }),
  state('conflict-free-text', graded, async (user, id, { api }) => {
    await edit(1)(user)
    const path = { id }
    const { stages } = await ok(api.GET('/v1/assessments/{id}', { params: { path } }))
    const [cooling, allergens] = stages
    const [essay, choice] = cooling!.questions
    const changed = [
      {
        id: cooling!.id, title: cooling!.title, gate: { required: true, minScore: 70 },
        questions: [
          { ...freeText, id: essay!.id, maxWords: 150, rubric: freeText.rubric!.slice(1) },
          { ...singleChoice, id: choice!.id },
        ],
      },
      { id: allergens!.id, title: allergens!.title, questions: [{ ...singleChoice, id: allergens!.questions[0]!.id }] },
    ]
    await ok(api.PATCH('/v1/assessments/{id}', { params: { path }, body: { stages: changed as Schemas['StageInput'][] } }))
    await user.page.locator('.editor-form [data-place$="time/title"]').fill('Names both time limits')
    await user.dialog('editor.conflict.title').waitFor()
  }),
]
