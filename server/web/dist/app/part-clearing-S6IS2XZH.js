import{a as r,b as a,c as t}from"./part-chunk-GJWMQDYN.js";import"./part-chunk-4UNVX77G.js";import"./part-chunk-LQKUM6BD.js";export{r as clear,a as trim,t as unsaved};
