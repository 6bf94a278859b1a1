import{a as r,b as a,c as t}from"./part-chunk-IZ5TB7NY.js";import"./part-chunk-SVXJRK3Q.js";import"./part-chunk-SC4RAQJP.js";export{r as clear,a as trim,t as unsaved};
