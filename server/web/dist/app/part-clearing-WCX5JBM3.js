import{a as r,b as a,c as t}from"./part-chunk-5T6OUAPJ.js";import"./part-chunk-WFYZ5U6G.js";import"./part-chunk-ZWCDUJSL.js";export{r as clear,a as trim,t as unsaved};
