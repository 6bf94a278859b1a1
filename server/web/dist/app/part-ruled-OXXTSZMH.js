/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-BCNSJ7MQ.js";import"./part-chunk-F7NZPV3A.js";import"./part-chunk-BAVQDSBC.js";import"./part-chunk-O22RPKSH.js";import"./part-chunk-4B63UTDM.js";import"./part-chunk-MDXO3J2M.js";export{r as Ruled,p as Rulings};
