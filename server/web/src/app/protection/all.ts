// The parts for lazy.ts in one file.
export { Holds } from './holds.tsx'
export { OfAssessment } from './of_assessment.tsx'
export { PersonSearch } from './person.tsx'
export { Retention } from './retention.tsx'
