import{a as r,b as a,c as t}from"./part-chunk-NUZ2WOHA.js";import"./part-chunk-WST6GDDI.js";import"./part-chunk-QU4KAYJE.js";export{r as clear,a as trim,t as unsaved};
