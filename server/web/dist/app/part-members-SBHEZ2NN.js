/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-IWIFDWLY.js";import"./part-chunk-OLN3ATBB.js";import"./part-chunk-P4CW73YL.js";import"./part-chunk-ZD4LZS7O.js";import"./part-chunk-NUUSCLAK.js";import"./part-chunk-2QZIRVPC.js";import"./part-chunk-JVXLAHBS.js";export{r as default,t as nameOfRole};
