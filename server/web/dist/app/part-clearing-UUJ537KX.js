/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-OJ5LFWNC.js";import"./part-chunk-JQN2WG2C.js";import"./part-chunk-RMZ4M2ZS.js";export{r as clear,a as trim,t as unsaved};
