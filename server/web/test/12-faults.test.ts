// Each kind of wrong response, to each request, at each moment while the candidate works: everything arrives in the end. The page is the one
// that is shipped, in virtual time and without a browser.
import { testFaults } from './support/virtual/matrix.ts'

testFaults(['first', 'after a success', 'after a reload'])
