import{a as r,b as a,c as t}from"./part-chunk-LX6H6J2M.js";import"./part-chunk-F3SALZTD.js";import"./part-chunk-P2SAMZW3.js";export{r as clear,a as trim,t as unsaved};
