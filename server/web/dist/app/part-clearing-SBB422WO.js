import{a as r,b as a,c as t}from"./part-chunk-O4LFGY4N.js";import"./part-chunk-EZ6CRUKN.js";import"./part-chunk-GJ4JLTWU.js";export{r as clear,a as trim,t as unsaved};
