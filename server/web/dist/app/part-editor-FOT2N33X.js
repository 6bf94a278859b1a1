/* Licenses: LICENSES.txt */
import{Q as r}from"./part-chunk-4EHUFWFR.js";import"./part-chunk-S6M7HPBC.js";import"./part-chunk-XL35MJ5R.js";import"./part-chunk-2NJBOHUG.js";import"./part-chunk-YRWXWHEK.js";import"./part-chunk-MSNHCF7B.js";import"./part-chunk-U2M55KNC.js";import"./part-chunk-3ZZMAJ2A.js";export{r as default};
