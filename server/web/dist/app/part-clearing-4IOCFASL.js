/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-6SRYYFMY.js";import"./part-chunk-USI4NDYA.js";import"./part-chunk-DLEIK5DB.js";export{r as clear,a as trim,t as unsaved};
