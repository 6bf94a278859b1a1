// Opens the editor of an assessment.
import { text } from '../../shared/i18n.tsx'
import type { Answer } from '../core/api.ts'
import { notify } from '../core/notices.tsx'
import { needs } from '../core/roles.ts'
import { release, take } from './kept.ts'
import { Editor, keptOf, read, type Drafting, type Events } from './state.ts'

/** open reads an assessment, and what the browser has kept of it. */
export async function open(id: string, events: Events): Promise<Answer<Editor>> {
  const [answer, { id: tab, kept }] = await Promise.all([read(id), take(keptOf(id))])
  if (!answer.ok) {
    release(tab)
    return answer
  }
  const etag = answer.response.headers.get('ETag') ?? ''
  const canChange = answer.data.status === 'DRAFT' && needs('EDITOR') === undefined
  let drafting: Drafting | undefined
  try {
    if (canChange) drafting = await import('./drafting.ts')
  } catch {
    release(tab)
    notify(text('screen.missing.text'))
    return { ok: false, fault: { status: 0 } }
  }
  const editor = new Editor(answer.data, etag, { tab, kept, events, drafting })
  return { ok: true, data: editor, response: answer.response }
}
