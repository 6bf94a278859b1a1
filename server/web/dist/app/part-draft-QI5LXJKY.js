/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-KVCPTFO7.js";import"./part-chunk-OMD6JSJR.js";import"./part-chunk-CNVVB2EM.js";import"./part-chunk-3SDYMIA3.js";import"./part-chunk-UORNO6V4.js";export{r as Draft,t as DraftNote};
