/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-PM6R4UKK.js";import"./part-chunk-VVTOWQ3E.js";import"./part-chunk-QCNKQIO5.js";import"./part-chunk-DMSE4FO2.js";import"./part-chunk-D5RGUQNH.js";import"./part-chunk-4FP25H6O.js";import"./part-chunk-KKJH5RDL.js";import"./part-chunk-RMZ4M2ZS.js";export{r as default};
