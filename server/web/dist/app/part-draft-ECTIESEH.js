/* Licenses: LICENSES.txt */
import{a as r,b as t}from"./part-chunk-UH4EXRIH.js";import"./part-chunk-HEKKTZV3.js";import"./part-chunk-JI4JMLHC.js";import"./part-chunk-KSCB6XC3.js";import"./part-chunk-CE735CH4.js";export{r as Draft,t as DraftNote};
