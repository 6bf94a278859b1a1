// What the screen shows for few candidates, in one file for lazy.ts.

export { EarlierNote, History } from './history.tsx'
export { LateAnswers } from './late.tsx'
export { PlannedEmail } from './planned_email.tsx'
