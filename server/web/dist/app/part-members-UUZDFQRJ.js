/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-IAZVRNZZ.js";import"./part-chunk-S7LFX6JX.js";import"./part-chunk-7EQBZJSD.js";import"./part-chunk-TERJ3YK7.js";import"./part-chunk-QHDIUFOC.js";import"./part-chunk-SYESBO4H.js";import"./part-chunk-BWQNVP36.js";export{r as default,t as nameOfRole};
