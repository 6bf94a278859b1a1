/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-REMW4P3K.js";import"./part-chunk-ZRNVUMVM.js";import"./part-chunk-TYK7ARF6.js";import"./part-chunk-KRHHLWDB.js";import"./part-chunk-JNK322EZ.js";export{r as Draft,t as DraftNote};
