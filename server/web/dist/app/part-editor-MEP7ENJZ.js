/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-MKIXZG72.js";import"./part-chunk-TXJID3KA.js";import"./part-chunk-TZX6U7PP.js";import"./part-chunk-LJAT2UQ7.js";import"./part-chunk-74USZN2F.js";import"./part-chunk-XEKUIYUJ.js";import"./part-chunk-65TPA75J.js";import"./part-chunk-6NJZLHPK.js";export{r as default};
