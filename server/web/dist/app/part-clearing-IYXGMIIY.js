/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-JVTTTAOZ.js";import"./part-chunk-5BHGE5V4.js";import"./part-chunk-ICBO5J5C.js";export{r as clear,a as trim,t as unsaved};
