/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-B5GROY7X.js";import"./part-chunk-ZI76A55E.js";import"./part-chunk-L3CYTHWJ.js";import"./part-chunk-UPT52ASL.js";import"./part-chunk-6KJQNPNE.js";import"./part-chunk-R33LGS74.js";import"./part-chunk-K3G43LA3.js";import"./part-chunk-M3HWJ2FO.js";export{r as default};
