// Which column of a table is which field of a candidate.
import type { Cells } from './sheet.ts'
import { plain, visible } from '../../shared/text.ts'

export const kinds = ['name', 'firstName', 'lastName', 'email', 'externalId', 'extraTime', 'ignore'] as const
export type Kind = (typeof kinds)[number]

export interface Match {
  hasHeader: boolean
  columns: Kind[]
}

/** Names of columns in English and German, without spaces and punctuation. The first kind that fits wins. */
const names: [Kind, RegExp][] = [
  ['email', /^(e?mail|emailaddress|emailadresse|mailadresse|candidateemail|primaryemail|emailprivat)$/],
  ['firstName', /^(first|firstname|givenname|forename|vorname)$/],
  ['lastName', /^(last|lastname|surname|familyname|nachname|familienname|zuname)$/],
  ['name', /^(name|fullname|candidate|candidatename|person|applicant|kandidat|bewerber|vollername|anzeigename)$/],
  ['externalId', /^(id|externalid|candidateid|applicationid|applicantid|ref|reference|externeid|bewerberid|bewerbernummer|kandidatennummer|referenz)$/],
  ['extraTime', /^(extratime|extratimepercent|extra|zusatzzeit|zeitzuschlag|zusatzzeitprozent|nachteilsausgleich)$/],
]

const looksLikeEmail = (cell: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell)

function kindOf(header: string): Kind | undefined {
  const word = plain(header).replaceAll(/[^\p{L}]/gu, '')
  return names.find(([, pattern]) => pattern.test(word))?.[0]
}

/** matchColumns finds the header and the columns. Without a header, the content decides. */
export function matchColumns(cells: Cells): Match {
  const [first = [], ...rest] = cells
  const named = first.map(kindOf)
  const hasHeader = !first.some(looksLikeEmail) && (named.some(Boolean) || rest.some((row) => row.some(looksLikeEmail)))
  const columns: Kind[] = first.map(() => 'ignore')
  const used = new Set<Kind>()
  const set = (column: number, kind: Kind) => {
    if (column < 0 || columns[column] !== 'ignore' || used.has(kind)) return
    columns[column] = kind
    used.add(kind)
  }
  if (hasHeader) named.forEach((kind, column) => kind && set(column, kind))
  const body = hasHeader ? rest : cells
  if (!used.has('email')) set(bestColumn(body, columns, looksLikeEmail), 'email')
  const nameKinds: Kind[] = ['name', 'firstName', 'lastName']
  for (const fits of [looksLikeName, hasLetters]) {
    if (!nameKinds.some((kind) => used.has(kind))) set(bestColumn(body, columns, fits), 'name')
  }
  return { hasHeader, columns }
}

const hasLetters = (cell: string) => /\p{L}{2}/u.test(cell) && !cell.includes('@')
const looksLikeName = (cell: string) => hasLetters(cell) && !/\d/.test(cell)

/** bestColumn returns the free column in which most cells fit, or -1. */
function bestColumn(rows: Cells, columns: Kind[], fits: (cell: string) => boolean): number {
  const counts = columns.map((kind, i) => (kind === 'ignore' ? rows.filter((row) => fits(row[i] ?? '')).length : 0))
  const most = Math.max(0, ...counts)
  return most === 0 ? -1 : counts.indexOf(most)
}

export const fields = ['name', 'email', 'externalId', 'extraTime'] as const
export type FieldName = (typeof fields)[number]
export type Values = Record<FieldName, string>

export interface Row {
  /** The number of the row in the table, from 1. */
  line: number
  values: Values
}

/** rowsOf reads the candidates of a table. */
export function rowsOf(cells: Cells, { hasHeader, columns }: Match): Row[] {
  const skipped = hasHeader ? 1 : 0
  return cells.slice(skipped).map((row, i) => {
    const cell = (kind: Kind) => visible(row[columns.indexOf(kind)] ?? '')
    const name = cell('name') || [cell('firstName'), cell('lastName')].filter(Boolean).join(' ')
    return {
      line: i + 1 + skipped,
      values: { name, email: cell('email').replace(/^mailto:/i, ''), externalId: cell('externalId'), extraTime: cell('extraTime') },
    }
  })
}
