/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-RMVSVVXT.js";import"./part-chunk-764HQTFQ.js";import"./part-chunk-B2GARUT3.js";export{r as clear,a as trim,t as unsaved};
