import{a as r,b as a,c as t}from"./part-chunk-4GKY5EMI.js";import"./part-chunk-RUWYI57I.js";import"./part-chunk-GIKZIMJQ.js";export{r as clear,a as trim,t as unsaved};
