/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-UOHQHEPB.js";import"./part-chunk-57LWLEUZ.js";import"./part-chunk-KUKBGB5H.js";import"./part-chunk-K73HGUEI.js";import"./part-chunk-DQGJLTXM.js";import"./part-chunk-ICBO5J5C.js";export{r as Ruled,p as Rulings};
