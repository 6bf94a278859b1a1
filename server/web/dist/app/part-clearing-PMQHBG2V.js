/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-CNVVB2EM.js";import"./part-chunk-3SDYMIA3.js";import"./part-chunk-UORNO6V4.js";export{r as clear,a as trim,t as unsaved};
