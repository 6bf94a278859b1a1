/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-PNLMHGH3.js";import"./part-chunk-7F3NT7WG.js";import"./part-chunk-IVWNMXJV.js";import"./part-chunk-ZIZ6LJUC.js";import"./part-chunk-TUEDBWH3.js";export{r as Draft,t as DraftNote};
