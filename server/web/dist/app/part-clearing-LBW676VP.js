import{a as r,b as a,c as t}from"./part-chunk-C6M6LE3A.js";import"./part-chunk-TQE5FN2O.js";import"./part-chunk-7AOVJLQM.js";export{r as clear,a as trim,t as unsaved};
