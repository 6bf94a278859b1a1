/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-YYL3UU47.js";import"./part-chunk-TVCOZ6AR.js";import"./part-chunk-CII4Q65W.js";import"./part-chunk-TZX6U7PP.js";import"./part-chunk-6NJZLHPK.js";export{r as Draft,t as DraftNote};
