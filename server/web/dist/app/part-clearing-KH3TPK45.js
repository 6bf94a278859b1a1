/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-B7WWMUPP.js";import"./part-chunk-JP5ZRTAX.js";import"./part-chunk-6CYLITAH.js";export{r as clear,a as trim,t as unsaved};
