import{a as r,b as a,c as t}from"./part-chunk-6JXJ35YE.js";import"./part-chunk-IGB6WGPV.js";import"./part-chunk-VLAPJSCM.js";export{r as clear,a as trim,t as unsaved};
