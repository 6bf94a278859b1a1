/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-GCZ6QDQ7.js";import"./part-chunk-EJLCWKN5.js";import"./part-chunk-EMDEVCRG.js";import"./part-chunk-LMQOCUO7.js";import"./part-chunk-GFKSASCO.js";import"./part-chunk-QDVC4TEH.js";import"./part-chunk-6Y5HPIXO.js";import"./part-chunk-B2GARUT3.js";export{r as default};
