import{a as r,b as a,c as t}from"./part-chunk-QKXY26MY.js";import"./part-chunk-YN7EPIFH.js";import"./part-chunk-C3TRP6R3.js";export{r as clear,a as trim,t as unsaved};
