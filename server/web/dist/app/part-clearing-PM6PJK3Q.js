import{a as r,b as a,c as t}from"./part-chunk-QHH7DCHJ.js";import"./part-chunk-5JNLH3UN.js";import"./part-chunk-5TPAT557.js";export{r as clear,a as trim,t as unsaved};
