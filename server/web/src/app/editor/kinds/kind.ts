// What a type of question has of its own in the form of the editor. Each type is one file in this folder, and one row of
// kinds.ts. Its card is a row of shown.tsx, because cards appear before any form is loaded.
import type { JSX } from 'preact'
import type { Question } from '../model.ts'
import type { FieldEditor } from '../state.ts'

export interface KeyProps {
  editor: FieldEditor
  question: Question
  change(fields: Partial<Question>, field: string, isTyping?: boolean): void
  at(field: string): string
}

export interface Kind {
  /** The fields of the key. */
  Key(props: KeyProps): JSX.Element
  /** The texts of the explanation, if it does not say why an answer is correct. */
  explanation?: 'editor.goodAnswer'
}
