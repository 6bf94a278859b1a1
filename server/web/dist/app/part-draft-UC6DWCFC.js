/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-LVSXU5BN.js";import"./part-chunk-P3SAMSJT.js";import"./part-chunk-GSNNK2AN.js";import"./part-chunk-MDXA76UB.js";import"./part-chunk-BWQNVP36.js";export{r as Draft,t as DraftNote};
