/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-F3PBSD5O.js";import"./part-chunk-ABIHF2WB.js";import"./part-chunk-TFYBE3RY.js";import"./part-chunk-R6XTT7P2.js";import"./part-chunk-QKQ46RKM.js";export{r as Draft,t as DraftNote};
