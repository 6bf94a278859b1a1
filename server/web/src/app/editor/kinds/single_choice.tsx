// A question with one correct option.
import { Options } from '../options.tsx'
import type { Kind } from './kind.ts'

export const singleChoice: Kind = {
  Key: ({ editor, question }) => <Options editor={editor} question={question} />,
}
