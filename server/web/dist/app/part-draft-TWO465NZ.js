/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-I2QXU6SR.js";import"./part-chunk-HZZFA4PR.js";import"./part-chunk-PSQT4CXK.js";import"./part-chunk-M4SM2HHQ.js";import"./part-chunk-JVXLAHBS.js";export{r as Draft,t as DraftNote};
