import{a as r,b as a,c as t}from"./part-chunk-A77INP4T.js";import"./part-chunk-VH3GKDHD.js";import"./part-chunk-P557UEZE.js";export{r as clear,a as trim,t as unsaved};
