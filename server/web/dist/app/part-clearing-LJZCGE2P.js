import{a as r,b as a,c as t}from"./part-chunk-VBE4Z5GT.js";import"./part-chunk-W4UD7WHM.js";import"./part-chunk-ZVINPSRA.js";export{r as clear,a as trim,t as unsaved};
