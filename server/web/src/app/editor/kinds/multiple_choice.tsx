// A question with several correct options.
import { text } from '../../../shared/i18n.tsx'
import { Check } from '../fields.tsx'
import { Options } from '../options.tsx'
import type { Kind } from './kind.ts'

export const multipleChoice: Kind = {
  Key: ({ editor, question, change, at }) => (
    <>
      <Options editor={editor} question={question} />
      <Check
        place={at('partialCredit')}
        label={text('editor.partialCredit')}
        hint={text(question.partialCredit ? 'editor.partialCredit.on' : 'editor.partialCredit.off')}
        isChecked={question.partialCredit}
        change={(partialCredit) => change({ partialCredit }, 'partialCredit')}
      />
    </>
  ),
}
