/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-HJ2VS3JZ.js";import"./part-chunk-CD73QEWW.js";import"./part-chunk-JQN2WG2C.js";import"./part-chunk-QCNKQIO5.js";import"./part-chunk-KIE3WCQT.js";import"./part-chunk-4FP25H6O.js";import"./part-chunk-KKJH5RDL.js";import"./part-chunk-RMZ4M2ZS.js";export{r as default};
