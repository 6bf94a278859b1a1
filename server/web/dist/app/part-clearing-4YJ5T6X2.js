/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-SMWDYBYM.js";import"./part-chunk-FBMCT7JB.js";import"./part-chunk-HTL6LBDR.js";export{r as clear,a as trim,t as unsaved};
