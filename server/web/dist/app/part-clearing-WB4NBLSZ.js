import{a as r,b as a,c as t}from"./part-chunk-EKNSGS2Z.js";import"./part-chunk-TB7HPPTC.js";import"./part-chunk-HOXMSFYB.js";export{r as clear,a as trim,t as unsaved};
