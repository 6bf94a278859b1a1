/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-GSNNK2AN.js";import"./part-chunk-MDXA76UB.js";import"./part-chunk-BWQNVP36.js";export{r as clear,a as trim,t as unsaved};
