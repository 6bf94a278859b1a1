/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-62Z2IZB7.js";import"./part-chunk-J5YR37SN.js";import"./part-chunk-X7A7OBD5.js";import"./part-chunk-5HBOL52Y.js";import"./part-chunk-GSL4IREH.js";export{r as Draft,t as DraftNote};
