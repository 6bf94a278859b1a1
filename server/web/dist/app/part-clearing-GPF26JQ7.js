/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-OH2LJYPU.js";import"./part-chunk-L3CYTHWJ.js";import"./part-chunk-M3HWJ2FO.js";export{r as clear,a as trim,t as unsaved};
