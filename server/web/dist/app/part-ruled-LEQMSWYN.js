/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-BEILJZUS.js";import"./part-chunk-T7VAK3XX.js";import"./part-chunk-BUVEXLDS.js";import"./part-chunk-66QXEAGT.js";import"./part-chunk-D5RGUQNH.js";import"./part-chunk-RMZ4M2ZS.js";export{r as Ruled,p as Rulings};
