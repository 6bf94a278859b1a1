/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-FC7O6ZPV.js";import"./part-chunk-KFDSM3QQ.js";import"./part-chunk-L7JKIY3R.js";export{r as clear,a as trim,t as unsaved};
