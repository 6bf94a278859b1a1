/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-3R4NYFKG.js";import"./part-chunk-XL35MJ5R.js";import"./part-chunk-3ZZMAJ2A.js";export{r as clear,a as trim,t as unsaved};
