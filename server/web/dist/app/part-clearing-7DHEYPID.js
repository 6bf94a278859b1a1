import{a as r,b as a,c as t}from"./part-chunk-4C5J7LRH.js";import"./part-chunk-NWCL7U7P.js";import"./part-chunk-U544QKFR.js";export{r as clear,a as trim,t as unsaved};
