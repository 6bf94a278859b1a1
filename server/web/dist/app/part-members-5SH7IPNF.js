/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-IQ2HPB6I.js";import"./part-chunk-EULYVIZY.js";import"./part-chunk-2MIITUCE.js";import"./part-chunk-VA3OWVT2.js";import"./part-chunk-6FPVQKWK.js";import"./part-chunk-LHS3EXOI.js";import"./part-chunk-PWLR63VN.js";export{r as default,t as nameOfRole};
