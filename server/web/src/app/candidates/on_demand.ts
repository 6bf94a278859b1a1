// Parts of the list that most visits do not need, in one file for lazy.ts.

// A file that needs only a part of the code that all screens share divides that code, and the first load grows.
import '../app.tsx'
import './candidates.tsx'

export { Waiting } from './planned.tsx'
export { SelectionBar } from './selection.tsx'
export { SpreadsheetDialog } from './spreadsheet.tsx'
