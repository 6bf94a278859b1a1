/* Licenses: LICENSES.txt */
import{Q as r}from"./part-chunk-OSXSC7NT.js";import"./part-chunk-D2ALREVQ.js";import"./part-chunk-WCHELU7G.js";import"./part-chunk-IGZAUMXG.js";import"./part-chunk-R6XTT7P2.js";import"./part-chunk-VCPM4KI2.js";import"./part-chunk-HWHKUY55.js";import"./part-chunk-UG2MVHC6.js";import"./part-chunk-QKQ46RKM.js";export{r as default};
