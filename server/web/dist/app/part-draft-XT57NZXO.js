/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-ITM6OOXU.js";import"./part-chunk-SZRWSNKC.js";import"./part-chunk-4MGZ75E7.js";import"./part-chunk-VDA5O7DO.js";import"./part-chunk-H2H67PXO.js";export{r as Draft,t as DraftNote};
