/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-NOJBPM2D.js";import"./part-chunk-AIG7RENL.js";import"./part-chunk-EKQCUQGN.js";import"./part-chunk-SGGIUSTI.js";import"./part-chunk-4B63UTDM.js";import"./part-chunk-XZUYZD2D.js";import"./part-chunk-WWKZ4OHV.js";import"./part-chunk-MDXO3J2M.js";export{r as default};
