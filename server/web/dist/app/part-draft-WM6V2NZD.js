/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-IKEJKTLV.js";import"./part-chunk-UCMXO2IG.js";import"./part-chunk-6SRYYFMY.js";import"./part-chunk-USI4NDYA.js";import"./part-chunk-DLEIK5DB.js";export{r as Draft,t as DraftNote};
