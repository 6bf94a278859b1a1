/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-NXXA425Q.js";import"./part-chunk-VTL43ZE7.js";import"./part-chunk-OYQNY44D.js";import"./part-chunk-HBA4VFK5.js";import"./part-chunk-IVZRSX7M.js";import"./part-chunk-SWF6KRGW.js";import"./part-chunk-HTL6LBDR.js";export{r as default,t as nameOfRole};
