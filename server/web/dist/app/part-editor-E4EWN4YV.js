/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-A62XLLRB.js";import"./part-chunk-AH7IFGGR.js";import"./part-chunk-PMUIUUUJ.js";import"./part-chunk-EKQCUQGN.js";import"./part-chunk-LYZGXZOG.js";import"./part-chunk-XZUYZD2D.js";import"./part-chunk-WWKZ4OHV.js";import"./part-chunk-MDXO3J2M.js";export{r as default};
