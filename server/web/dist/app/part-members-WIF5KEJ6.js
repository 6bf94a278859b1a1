/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-TVNJKHRG.js";import"./part-chunk-NS7HCPZY.js";import"./part-chunk-LJAT2UQ7.js";import"./part-chunk-BNAIRZN5.js";import"./part-chunk-HVAAX3T6.js";import"./part-chunk-XEKUIYUJ.js";import"./part-chunk-65TPA75J.js";import"./part-chunk-6NJZLHPK.js";export{r as default};
