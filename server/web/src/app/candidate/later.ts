// What the screen shows for few candidates, in one file for lazy.ts.

// A file that needs only a part of the code that all screens share divides that code, and the first load grows.
import './candidate.tsx'

export { EarlierNote, History } from './history.tsx'
export { LateAnswers } from './late.tsx'
export { PlannedEmail } from './planned_email.tsx'
