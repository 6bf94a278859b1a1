import{a as r,b as a,c as t}from"./part-chunk-F22GJM35.js";import"./part-chunk-UXFZV67W.js";import"./part-chunk-6NJZNH7A.js";export{r as clear,a as trim,t as unsaved};
