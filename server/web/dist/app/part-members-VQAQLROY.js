/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-FRXVXPEL.js";import"./part-chunk-FYWV4QHD.js";import"./part-chunk-6NZXGNGQ.js";import"./part-chunk-V7YJDGZF.js";import"./part-chunk-WTCV6KSD.js";import"./part-chunk-CPIL7UZC.js";import"./part-chunk-O74UCZ5Z.js";import"./part-chunk-KPKJ52LC.js";export{r as default};
