/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-BDHRYQ3B.js";import"./part-chunk-6H5IYVHS.js";import"./part-chunk-JVTTTAOZ.js";import"./part-chunk-5BHGE5V4.js";import"./part-chunk-ICBO5J5C.js";export{r as Draft,t as DraftNote};
