/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-PSQT4CXK.js";import"./part-chunk-M4SM2HHQ.js";import"./part-chunk-JVXLAHBS.js";export{r as clear,a as trim,t as unsaved};
