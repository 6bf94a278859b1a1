/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-Q5HHPBSN.js";import"./part-chunk-7GOY6BBY.js";import"./part-chunk-Q67YI5VY.js";import"./part-chunk-P6BF5A3S.js";import"./part-chunk-57LWDVNI.js";export{r as Draft,t as DraftNote};
