import{a as r,b as a,c as t}from"./part-chunk-4IO6NBAX.js";import"./part-chunk-LDZ7K64X.js";import"./part-chunk-W2DEK363.js";export{r as clear,a as trim,t as unsaved};
