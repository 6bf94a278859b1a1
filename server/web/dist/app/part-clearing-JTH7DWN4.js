/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-TYK7ARF6.js";import"./part-chunk-KRHHLWDB.js";import"./part-chunk-JNK322EZ.js";export{r as clear,a as trim,t as unsaved};
