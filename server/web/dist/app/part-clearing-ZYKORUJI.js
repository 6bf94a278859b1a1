/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-BNFGXAZP.js";import"./part-chunk-GHPH5XPC.js";import"./part-chunk-N2QP2QLA.js";export{r as clear,a as trim,t as unsaved};
