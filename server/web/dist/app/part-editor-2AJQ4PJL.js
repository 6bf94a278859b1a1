/* Licenses: LICENSES.txt */
import{F as r}from"./part-chunk-WTBSJZGA.js";import"./part-chunk-5C2FMC5K.js";import"./part-chunk-764HQTFQ.js";import"./part-chunk-L4TMROJN.js";import"./part-chunk-QDVC4TEH.js";import"./part-chunk-6Y5HPIXO.js";import"./part-chunk-B2GARUT3.js";export{r as default};
