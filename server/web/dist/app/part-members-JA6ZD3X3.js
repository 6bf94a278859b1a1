/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-5TFVIRY6.js";import"./part-chunk-ZWJJH7TY.js";import"./part-chunk-3A3H7VJK.js";import"./part-chunk-7JPFSECU.js";import"./part-chunk-R6F55XEQ.js";import"./part-chunk-EM3R5AWJ.js";import"./part-chunk-IJYOHVSC.js";import"./part-chunk-N2QP2QLA.js";export{r as default};
