import{a as r,b as a,c as t}from"./part-chunk-WDC663AD.js";import"./part-chunk-DCS4XGLH.js";import"./part-chunk-NLX5BPKX.js";export{r as clear,a as trim,t as unsaved};
