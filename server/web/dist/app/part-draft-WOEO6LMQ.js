/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-GZ6TJKOJ.js";import"./part-chunk-7JCMJI2E.js";import"./part-chunk-RMVSVVXT.js";import"./part-chunk-764HQTFQ.js";import"./part-chunk-B2GARUT3.js";export{r as Draft,t as DraftNote};
