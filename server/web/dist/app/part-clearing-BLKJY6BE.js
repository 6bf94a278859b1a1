/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-4U7TFFM4.js";import"./part-chunk-PMUIUUUJ.js";import"./part-chunk-MDXO3J2M.js";export{r as clear,a as trim,t as unsaved};
