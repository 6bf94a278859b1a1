/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-6QK3A5SF.js";import"./part-chunk-PMAKXNRR.js";import"./part-chunk-2JURF36I.js";import"./part-chunk-3Y6HCQCS.js";import"./part-chunk-R5AKDTGV.js";import"./part-chunk-3ZZMAJ2A.js";export{r as Ruled,p as Rulings};
