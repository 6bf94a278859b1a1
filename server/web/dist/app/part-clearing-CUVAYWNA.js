import{a as r,b as a,c as t}from"./part-chunk-JYQOODUI.js";import"./part-chunk-LU6NFZSY.js";import"./part-chunk-DY3BY64Y.js";export{r as clear,a as trim,t as unsaved};
