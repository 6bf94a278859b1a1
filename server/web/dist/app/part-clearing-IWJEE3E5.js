import{a as r,b as a,c as t}from"./part-chunk-V2WQJCBP.js";import"./part-chunk-BRW6ZREF.js";import"./part-chunk-VYEQL7BG.js";export{r as clear,a as trim,t as unsaved};
