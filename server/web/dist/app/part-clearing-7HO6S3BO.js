import{a as r,b as a,c as t}from"./part-chunk-UKMEWQMH.js";import"./part-chunk-KYLH57LO.js";import"./part-chunk-BKTYLSZP.js";export{r as clear,a as trim,t as unsaved};
