import{a as r,b as a,c as t}from"./part-chunk-3FPNAOIW.js";import"./part-chunk-IQD7WWUI.js";import"./part-chunk-BDZCC3MC.js";export{r as clear,a as trim,t as unsaved};
