/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-D4MTBUCO.js";import"./part-chunk-FR4O34KH.js";import"./part-chunk-4U7TFFM4.js";import"./part-chunk-PMUIUUUJ.js";import"./part-chunk-MDXO3J2M.js";export{r as Draft,t as DraftNote};
