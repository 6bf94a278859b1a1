/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-4MGZ75E7.js";import"./part-chunk-VDA5O7DO.js";import"./part-chunk-H2H67PXO.js";export{r as clear,a as trim,t as unsaved};
