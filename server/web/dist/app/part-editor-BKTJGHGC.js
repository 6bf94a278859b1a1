/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-4I546WJD.js";import"./part-chunk-CRUJZQRM.js";import"./part-chunk-KFDSM3QQ.js";import"./part-chunk-IG6JAK6J.js";import"./part-chunk-DA6MEDC2.js";import"./part-chunk-UYKOBMST.js";import"./part-chunk-L6DNVKX3.js";import"./part-chunk-L7JKIY3R.js";export{r as default};
