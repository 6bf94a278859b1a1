/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-45GCWAZH.js";import"./part-chunk-OOWY6ED2.js";import"./part-chunk-SMWDYBYM.js";import"./part-chunk-FBMCT7JB.js";import"./part-chunk-HTL6LBDR.js";export{r as Draft,t as DraftNote};
