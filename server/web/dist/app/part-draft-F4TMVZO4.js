/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-C7DVUCPF.js";import"./part-chunk-B2NPYWED.js";import"./part-chunk-BNFGXAZP.js";import"./part-chunk-GHPH5XPC.js";import"./part-chunk-N2QP2QLA.js";export{r as Draft,t as DraftNote};
