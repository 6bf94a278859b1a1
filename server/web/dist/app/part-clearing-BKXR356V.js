/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-JI4JMLHC.js";import"./part-chunk-KSCB6XC3.js";import"./part-chunk-CE735CH4.js";export{r as clear,a as trim,t as unsaved};
