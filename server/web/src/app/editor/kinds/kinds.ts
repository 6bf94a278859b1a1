// The types of questions in the editor.
import type { QuestionType } from '../model.ts'
import { freeText } from './free_text.tsx'
import type { Kind } from './kind.ts'
import { multipleChoice } from './multiple_choice.tsx'
import { numeric } from './numeric.tsx'
import { shortText } from './short_text.tsx'
import { singleChoice } from './single_choice.tsx'

export const kinds: Record<QuestionType, Kind> = {
  SINGLE_CHOICE: singleChoice,
  MULTIPLE_CHOICE: multipleChoice,
  NUMERIC: numeric,
  SHORT_TEXT: shortText,
  FREE_TEXT: freeText,
}
