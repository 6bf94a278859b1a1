// What a type of question has of its own in the editor. Each type is one file in this folder, and one row of kinds.ts.
import type { JSX } from 'preact'
import type { Question } from '../model.ts'
import type { Part } from '../rendered.ts'
import type { Editor } from '../state.ts'

export interface KeyProps {
  editor: Editor
  question: Question
  change(fields: Partial<Question>, field: string, isTyping?: boolean): void
  at(field: string): string
}

export interface ShownProps {
  question: Question
  rendered: Part | undefined
}

export interface Kind {
  /** The fields of the key. */
  Key(props: KeyProps): JSX.Element
  /** The key of a question that is not being edited. */
  Shown(props: ShownProps): JSX.Element | null
  /** A word about how points are given, beside the number of points. */
  points?(question: Question): string
  /** The key as lines of text, to compare two versions. */
  lines(question: Question): string[]
}
