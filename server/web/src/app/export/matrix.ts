// The response matrix of an assessment and its code book, for analyses with other programs.
import { text } from '../../shared/i18n.tsx'
import { download } from '../core/download.ts'
import { notify } from '../core/notices.tsx'
import { messageOf } from '../core/states.tsx'
import { nameOf } from './name.ts'

interface Assessment {
  id: string
  title: string
}

/** saveMatrix saves one of the two files, and says when it begins, because a large matrix takes minutes. */
export async function saveMatrix({ id, title }: Assessment, file: 'export' | 'code-book'): Promise<void> {
  const name = `${nameOf(title) || id}-${file === 'export' ? 'responses' : 'code-book'}.csv`
  notify(text('export.matrix.begins'))
  const failed = await download(`/v1/assessments/${id}/responses/${file}`, name)
  notify(failed ? messageOf(failed) : text('export.done', { name }))
}
