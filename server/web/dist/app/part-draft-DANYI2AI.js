/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-UHN2CX4S.js";import"./part-chunk-YGDHP4WD.js";import"./part-chunk-B7WWMUPP.js";import"./part-chunk-JP5ZRTAX.js";import"./part-chunk-6CYLITAH.js";export{r as Draft,t as DraftNote};
