/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-TNNGKFPA.js";import"./part-chunk-7HSE7U6T.js";import"./part-chunk-3R4NYFKG.js";import"./part-chunk-XL35MJ5R.js";import"./part-chunk-3ZZMAJ2A.js";export{r as Draft,t as DraftNote};
