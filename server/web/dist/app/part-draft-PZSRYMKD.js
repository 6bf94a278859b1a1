/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-4YKNBYSD.js";import"./part-chunk-W3AVLHRN.js";import"./part-chunk-FC7O6ZPV.js";import"./part-chunk-KFDSM3QQ.js";import"./part-chunk-L7JKIY3R.js";export{r as Draft,t as DraftNote};
