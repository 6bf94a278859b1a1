/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-R25PQQWS.js";import"./part-chunk-QMDBK3CD.js";import"./part-chunk-AWWHEFX7.js";import"./part-chunk-CHBQYURD.js";import"./part-chunk-XVNVI4S3.js";import"./part-chunk-QFBNVHI4.js";import"./part-chunk-I23Z4D7V.js";import"./part-chunk-CE735CH4.js";export{r as default,t as nameOfRole};
