// Each kind of wrong response, to each request, at each moment: everything arrives in the end. The page is the one that
// is shipped, in virtual time and without a browser. See support/virtual/matrix.ts.
import { testFaults } from './support/virtual/matrix.ts'

testFaults(['first'])
