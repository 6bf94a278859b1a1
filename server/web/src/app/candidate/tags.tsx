// The tags of the candidate. Each can be removed at once, and new ones are added in a form that is loaded when it opens.
import { useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'
import { notify } from '../core/notices.tsx'
import { changeTags } from '../core/review_tags.ts'
import { messageOf } from '../core/states.tsx'
import { AddTag } from './lazy_dialogs.ts'

interface Props {
  id: string
  tags: string[]
  changed(review: Schemas['Review']): void
}

export function Tags({ id, tags, changed }: Props) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const remove = async (tag: string) => {
    const answer = await changeTags(id, { remove: [tag] })
    if (!answer.ok) return notify(messageOf(answer.fault))
    changed(answer.data)
    opener.current?.focus() // the button that had the focus is gone
  }
  return (
    <div class="review-tags">
      <ul class="chips-of-tags" aria-label={text('candidate.tags')}>
        {tags.map((tag) => (
          <li key={tag} class="tag">
            <span translate={false}>{tag}</span>
            <button type="button" aria-label={text('candidate.tags.remove', { tag })} onClick={() => void remove(tag)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <button
        ref={opener}
        type="button"
        class="link-button small"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {text('candidate.tags.add')}
      </button>
      {isOpen && <AddTag id={id} tags={tags} changed={changed} close={close} />}
    </div>
  )
}
