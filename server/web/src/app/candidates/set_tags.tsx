// Tags of several candidates. It is loaded when it is opened.

import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Errors, TextField } from '../core/forms.tsx'
import { forget } from '../core/query.ts'
import { changeTags, tagFault, tagsIn } from '../core/review_tags.ts'
import { oneByOne } from './bulk.ts'
import { BulkDialog, type DialogProps } from './bulk_dialog.tsx'
import type { Session } from './sessions.ts'

/** SetTags adds tags to the selected candidates and removes others. Their other tags stay. */
export function SetTags(props: DialogProps) {
  // The list changes while the action runs.
  const [sessions] = useState(props.sessions)
  const [leftOut] = useState(props.leftOut)
  const [added, setAdded] = useState('')
  const [removed, setRemoved] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const body = { add: tagsIn(added), remove: tagsIn(removed) }
  const check = () => {
    const isEmpty = body.add.length + body.remove.length === 0
    const all = { '/add': isEmpty ? text('field.required') : tagFault(body.add), '/remove': tagFault(body.remove) }
    const found = Object.fromEntries(Object.entries(all).filter(([, fault]) => fault)) as Record<string, string>
    setFaults(found)
    return Object.keys(found).length === 0
  }
  const act = async (session: Session) => {
    const answer = await changeTags(session.id, body)
    return answer.ok ? { ...answer, data: { ...session, tags: answer.data.tags } } : answer
  }
  return (
    <BulkDialog
      {...props}
      sessions={sessions}
      leftOut={leftOut}
      title={text('candidates.setTags.title', { count: sessions.length })}
      label={text('candidates.setTags.save')}
      before={check}
      act={oneByOne(act)}
      succeeded={(session) => {
        forget('/v1/review-tags')
        props.changed(session)
      }}
    >
      <Errors.Provider value={faults}>
        <TextField
          label={text('candidates.setTags.add')}
          hint={text('candidates.setTags.hint')}
          pointer="/add"
          maxLength={400}
          value={added}
          change={setAdded}
        />
        <TextField
          label={text('candidates.setTags.remove')}
          hint={text('candidates.setTags.hint')}
          pointer="/remove"
          isOptional
          maxLength={400}
          value={removed}
          change={setRemoved}
        />
      </Errors.Provider>
    </BulkDialog>
  )
}
