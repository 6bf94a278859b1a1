import{a as r,b as a,c as t}from"./part-chunk-TIVXASUK.js";import"./part-chunk-CW3IOKKE.js";import"./part-chunk-AUEWNLWV.js";export{r as clear,a as trim,t as unsaved};
