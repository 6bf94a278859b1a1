/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-IJM7Q2GU.js";import"./part-chunk-NI3XRAOL.js";import"./part-chunk-SBT73YBY.js";import"./part-chunk-IXZGWDJT.js";import"./part-chunk-2YCFNCZY.js";import"./part-chunk-7HZHKN72.js";import"./part-chunk-JVNTFL5R.js";import"./part-chunk-6CYLITAH.js";export{r as default};
