/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-ZZXV6ECR.js";import"./part-chunk-4FSYKZY4.js";import"./part-chunk-OJ5LFWNC.js";import"./part-chunk-JQN2WG2C.js";import"./part-chunk-RMZ4M2ZS.js";export{r as Draft,t as DraftNote};
