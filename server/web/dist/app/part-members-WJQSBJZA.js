/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-I56ZRZHR.js";import"./part-chunk-MGJSZIRI.js";import"./part-chunk-B55WKWGC.js";import"./part-chunk-MHO5IR7B.js";import"./part-chunk-K6QYQQYR.js";import"./part-chunk-2HZ6YDEB.js";import"./part-chunk-CNEOYCQH.js";import"./part-chunk-57LWDVNI.js";export{r as default,t as nameOfRole};
