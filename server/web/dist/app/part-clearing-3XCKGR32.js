import{a as r,b as a,c as t}from"./part-chunk-C3OYDXGC.js";import"./part-chunk-WGHCJKSK.js";import"./part-chunk-TBMDUE3Z.js";export{r as clear,a as trim,t as unsaved};
