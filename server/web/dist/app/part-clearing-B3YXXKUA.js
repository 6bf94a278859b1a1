/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-X7A7OBD5.js";import"./part-chunk-5HBOL52Y.js";import"./part-chunk-GSL4IREH.js";export{r as clear,a as trim,t as unsaved};
