/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-V6PNKQQ7.js";import"./part-chunk-VOYIQTAH.js";import"./part-chunk-J6KL4QDY.js";import"./part-chunk-WTIQ6VTL.js";import"./part-chunk-PWLR63VN.js";export{r as Draft,t as DraftNote};
