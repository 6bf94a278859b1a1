/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-Y2GA4EN3.js";import"./part-chunk-XW4BPV5R.js";import"./part-chunk-3FANAHNU.js";import"./part-chunk-DSF2XEUZ.js";import"./part-chunk-4IMVDHQD.js";import"./part-chunk-L7JKIY3R.js";export{r as Ruled,p as Rulings};
