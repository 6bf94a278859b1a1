/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-NLCS2BWI.js";import"./part-chunk-XVPBGTTZ.js";import"./part-chunk-NPWJ6LIQ.js";import"./part-chunk-VD2N7IH4.js";import"./part-chunk-OGIOXZYB.js";import"./part-chunk-CMO2WLSD.js";import"./part-chunk-X6ZY2PQI.js";import"./part-chunk-H2H67PXO.js";export{r as default,t as nameOfRole};
