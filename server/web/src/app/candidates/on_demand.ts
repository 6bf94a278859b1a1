// Parts of the list that most visits do not need, in one file for lazy.ts.

export { Waiting } from './planned.tsx'
export { SelectionBar } from './selection.tsx'
export { SpreadsheetDialog } from './spreadsheet.tsx'
