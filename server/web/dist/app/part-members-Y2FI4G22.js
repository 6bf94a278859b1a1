/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-J4KMNDTR.js";import"./part-chunk-FFZEUFNN.js";import"./part-chunk-UPT52ASL.js";import"./part-chunk-WTAIF5WB.js";import"./part-chunk-CD2CMK6V.js";import"./part-chunk-R33LGS74.js";import"./part-chunk-K3G43LA3.js";import"./part-chunk-M3HWJ2FO.js";export{r as default};
