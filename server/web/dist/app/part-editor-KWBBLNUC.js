/* Licenses: LICENSES.txt */
import{F as r}from"./part-chunk-44KNLQ7P.js";import"./part-chunk-QE36ZZSM.js";import"./part-chunk-CAH2SKAR.js";import"./part-chunk-3WBUCKJI.js";import"./part-chunk-CPIL7UZC.js";import"./part-chunk-O74UCZ5Z.js";import"./part-chunk-KPKJ52LC.js";export{r as default};
