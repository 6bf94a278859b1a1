/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-73FPPPWW.js";import"./part-chunk-SKMYJCWU.js";import"./part-chunk-FMILGLD5.js";import"./part-chunk-RVPGAOCE.js";import"./part-chunk-CD2CMK6V.js";import"./part-chunk-M3HWJ2FO.js";export{r as Ruled,p as Rulings};
