/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-BVP6W5VQ.js";import"./part-chunk-I4VDYJV5.js";import"./part-chunk-OH2LJYPU.js";import"./part-chunk-L3CYTHWJ.js";import"./part-chunk-M3HWJ2FO.js";export{r as Draft,t as DraftNote};
