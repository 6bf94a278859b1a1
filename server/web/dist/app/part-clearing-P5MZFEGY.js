import{a as r,b as a,c as t}from"./part-chunk-O5VP3A6L.js";import"./part-chunk-LR2ML6O4.js";import"./part-chunk-PKGW22BF.js";export{r as clear,a as trim,t as unsaved};
