/* Licenses: LICENSES.txt */
import{F as r}from"./part-chunk-VDB4PCF5.js";import"./part-chunk-DP5A3SLJ.js";import"./part-chunk-5HBOL52Y.js";import"./part-chunk-AWLXLKD4.js";import"./part-chunk-HOIZ4CF4.js";import"./part-chunk-HQRCJIX3.js";import"./part-chunk-GSL4IREH.js";export{r as default};
