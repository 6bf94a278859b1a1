/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-ZX4EI4SL.js";import"./part-chunk-5UEVM6AS.js";import"./part-chunk-JP5ZRTAX.js";import"./part-chunk-SBT73YBY.js";import"./part-chunk-2ULCE6PY.js";import"./part-chunk-7HZHKN72.js";import"./part-chunk-JVNTFL5R.js";import"./part-chunk-6CYLITAH.js";export{r as default};
