// Each kind of wrong response, to each request, at each moment at the end of a stage: everything arrives in the end. The page is the one
// that is shipped, in virtual time and without a browser.
import { testFaults } from './support/virtual/matrix.ts'

testFaults(['when submitting', 'before the deadline', 'when submitting the last stage'])
