import{a as r,b as a,c as t}from"./part-chunk-PVYMKRN5.js";import"./part-chunk-JSTBCGDJ.js";import"./part-chunk-ZGO7FEN3.js";export{r as clear,a as trim,t as unsaved};
