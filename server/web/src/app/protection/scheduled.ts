// Scheduling the deletion of the organization, and cancelling it: from the banner, or in the settings.
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { me } from '../core/me.ts'
import { forget } from '../core/query.ts'

type Organization = Schemas['Organization']

export async function scheduleDeletion(name: string): Promise<Answer<Organization>> {
  return shown(await ask(v1.POST('/v1/organization/deletion', { body: { name } })))
}

export async function cancelDeletion(): Promise<Answer<Organization>> {
  return shown(await ask(v1.DELETE('/v1/organization/deletion')))
}

/** shown shows the change on each screen. */
function shown(answer: Answer<Organization>): Answer<Organization> {
  if (answer.ok) {
    forget('/v1/organization')
    if (me.value) me.value = { ...me.value, organization: answer.data }
  }
  return answer
}
