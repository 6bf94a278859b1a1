import{a as r,b as a,c as t}from"./part-chunk-H3ABAE5R.js";import"./part-chunk-ILVCFO25.js";import"./part-chunk-LJML4Q3B.js";export{r as clear,a as trim,t as unsaved};
