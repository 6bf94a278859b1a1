import{a as r,b as a,c as t}from"./part-chunk-UVF6STIL.js";import"./part-chunk-YAROGMEP.js";import"./part-chunk-QWJSPUT7.js";export{r as clear,a as trim,t as unsaved};
