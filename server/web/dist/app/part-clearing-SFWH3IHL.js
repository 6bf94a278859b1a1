/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-CII4Q65W.js";import"./part-chunk-TZX6U7PP.js";import"./part-chunk-6NJZLHPK.js";export{r as clear,a as trim,t as unsaved};
