/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-RPLHY6LK.js";import"./part-chunk-IGZAUMXG.js";import"./part-chunk-BBYG6WAQ.js";import"./part-chunk-4J6ELPKZ.js";import"./part-chunk-R2LKNA75.js";import"./part-chunk-HWHKUY55.js";import"./part-chunk-UG2MVHC6.js";import"./part-chunk-QKQ46RKM.js";export{r as default};
