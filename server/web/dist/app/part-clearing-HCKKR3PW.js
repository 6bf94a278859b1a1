import{a as r,b as a,c as t}from"./part-chunk-RN3IVUDM.js";import"./part-chunk-UAGI5WBS.js";import"./part-chunk-NZCJIUVI.js";export{r as clear,a as trim,t as unsaved};
