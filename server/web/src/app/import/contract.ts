// The types of the import, as the contract has them.
import type { Schemas } from '../core/api.ts'

export type Imported = Schemas['AssessmentImport']
export type Report = Schemas['ImportReport']
export type Item = Schemas['ImportedQuestion']
export type Note = Schemas['ImportNote']
export type Column = Schemas['ImportedColumn']
export type Role = Schemas['ImportColumnRoleInput']
export type Format = Schemas['ImportFormat']
export type Question = Schemas['Stage']['questions'][number]

/** What a person decides about a source. */
export interface Choices {
  format: Format
  /** The language of the source (BCP 47). Empty if it is not given. */
  language: string
  /** What the columns contain, from left to right. Without it, the headings decide. */
  columns?: Role[] | undefined
}

/** What is imported: a pasted text, or a file that is sent as it is. */
export interface Source {
  text: string
  /** The name of the file from which the text came. Empty for a pasted text. */
  name: string
  file?: File | undefined
}

export const noChoices: Choices = { format: 'AUTO', language: '' }

/** All formats that can be read, in the order of the menu. The types fail if the contract has another one. */
export const formats = Object.keys({
  TEXT: 0,
  CSV: 0,
  XLSX: 0,
  GIFT: 0,
  AIKEN: 0,
  MOODLE_XML: 0,
  QTI: 0,
  ASSAY_JSON: 0,
} satisfies Record<Exclude<Format, 'AUTO'>, 0>) as Exclude<Format, 'AUTO'>[]

/** All roles of a column, in the order of the menu. */
export const roles = Object.keys({
  QUESTION: 0,
  OPTION: 0,
  OPTIONS: 0,
  CORRECT: 0,
  CORRECT_NUMBER: 0,
  CORRECT_LETTER: 0,
  CORRECT_TEXT: 0,
  POINTS: 0,
  TYPE: 0,
  STAGE: 0,
  EXPLANATION: 0,
  TOLERANCE: 0,
  MAX_WORDS: 0,
  RUBRIC: 0,
  IGNORED: 0,
} satisfies Record<Role, 0>) as Role[]

/** isTable reports whether the lines of a report are rows. */
export const isTable = ({ format }: Report) => format === 'CSV' || format === 'XLSX'

/** The most characters of a title. A test compares it with the contract. */
export const maxTitle = 200

/** The largest file in bytes. A test compares it with the contract. */
export const maxBytes = 10_485_760
