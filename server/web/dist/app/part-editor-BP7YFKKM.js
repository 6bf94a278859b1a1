/* Licenses: LICENSES.txt */
import{F as r}from"./part-chunk-WRMWCMTW.js";import"./part-chunk-HFNYFJ5N.js";import"./part-chunk-GHPH5XPC.js";import"./part-chunk-EOYQLTS5.js";import"./part-chunk-EM3R5AWJ.js";import"./part-chunk-IJYOHVSC.js";import"./part-chunk-N2QP2QLA.js";export{r as default};
