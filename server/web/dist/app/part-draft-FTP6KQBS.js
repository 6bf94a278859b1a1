/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-57AM5M4S.js";import"./part-chunk-O4KG2VBZ.js";import"./part-chunk-5HUWCNHN.js";import"./part-chunk-CAH2SKAR.js";import"./part-chunk-KPKJ52LC.js";export{r as Draft,t as DraftNote};
