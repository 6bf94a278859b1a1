/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-5HUWCNHN.js";import"./part-chunk-CAH2SKAR.js";import"./part-chunk-KPKJ52LC.js";export{r as clear,a as trim,t as unsaved};
