/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-Q67YI5VY.js";import"./part-chunk-P6BF5A3S.js";import"./part-chunk-57LWDVNI.js";export{r as clear,a as trim,t as unsaved};
