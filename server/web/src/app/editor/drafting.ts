// What only an assessment that can be changed needs. It is loaded together, before the editor shows such an assessment.
export { Bar } from './bar.tsx'
export { restore } from './restore.ts'
export { Saver } from './saver.ts'
