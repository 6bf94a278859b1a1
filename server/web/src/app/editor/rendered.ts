// The HTML that the server has rendered from the saved texts.
import { same, type Detail, type Doc } from './model.ts'
import type { Rendered } from './plain.ts'

/** The texts of one question, one stage, or the settings, by field. The options have the fields "options/ID". */
export type Part = Readonly<Record<string, Rendered>>
/** By the beginning of their places: "/q/KEY", "/s/KEY", or "" for the settings. */
export type AllRendered = ReadonlyMap<string, Part>

/** renderedOf keeps the parts of `before` that are the same, so that their views are not shown again. */
export function renderedOf(doc: Doc, detail: Detail, before: AllRendered = new Map()): AllRendered {
  const all = new Map<string, Part>()
  const add = (place: string, texts: [field: string, text: string | null, html: string | null][]) => {
    const part: Record<string, Rendered> = {}
    for (const [field, text, html] of texts) if (text && html) part[field] = { text, html }
    const old = before.get(place)
    all.set(place, old && same(old, part) ? old : part)
  }
  add('', [
    ['description', detail.description, detail.descriptionHtml],
    ['instructions', detail.instructions, detail.instructionsHtml],
    ['closingMessage', detail.closingMessage, detail.closingMessageHtml],
    ['inviteMessage', detail.inviteMessage, detail.inviteMessageHtml],
  ])
  detail.stages.forEach((stage, i) => {
    const own = doc.stages[i]
    if (!own) return
    add(`/s/${own.key}`, [['description', stage.description, stage.descriptionHtml]])
    stage.questions.forEach((question, j) => {
      const key = own.questions[j]?.key
      if (!key) return
      const options = (question.options ?? []).map(
        ({ id, text, textHtml }): [string, string, string] => [`options/${id}`, text, textHtml],
      )
      add(`/q/${key}`, [
        ['prompt', question.prompt, question.promptHtml],
        ['explanation', question.explanation, question.explanationHtml],
        ...options,
      ])
    })
  })
  return all
}

/** renderedAt returns the HTML of a place, such as "/q/KEY/prompt". */
export function renderedAt(all: AllRendered, place: string): Rendered | undefined {
  const parts = place.split('/')
  const depth = parts[1] === 'q' || parts[1] === 's' ? 3 : 1
  return all.get(parts.slice(0, depth).join('/'))?.[parts.slice(depth).join('/')]
}
