/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-TFYBE3RY.js";import"./part-chunk-R6XTT7P2.js";import"./part-chunk-QKQ46RKM.js";export{r as clear,a as trim,t as unsaved};
