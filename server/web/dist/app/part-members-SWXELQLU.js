/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-T3AGGC3T.js";import"./part-chunk-Z4QHFEGW.js";import"./part-chunk-RX2JV4PE.js";import"./part-chunk-2HNPHX2S.js";import"./part-chunk-SKAUPAUH.js";import"./part-chunk-5MJKM43X.js";import"./part-chunk-2LQIM2HR.js";import"./part-chunk-UORNO6V4.js";export{r as default};
