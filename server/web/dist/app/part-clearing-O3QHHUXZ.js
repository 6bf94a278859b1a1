/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-IVWNMXJV.js";import"./part-chunk-ZIZ6LJUC.js";import"./part-chunk-TUEDBWH3.js";export{r as clear,a as trim,t as unsaved};
