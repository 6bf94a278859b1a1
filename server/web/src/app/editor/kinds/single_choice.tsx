// A question with one correct option.
import { Options, ShownOptions, optionLines } from '../options.tsx'
import type { Kind } from './kind.ts'

export const singleChoice: Kind = {
  Key: ({ editor, question }) => <Options editor={editor} question={question} />,
  Shown: ({ question, rendered }) => (
    <ShownOptions question={question} rendered={rendered} correct={question.correct.slice(0, 1)} />
  ),
  lines: optionLines,
}
