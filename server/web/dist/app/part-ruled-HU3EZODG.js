/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-IIMGA5QF.js";import"./part-chunk-TEXPJHPB.js";import"./part-chunk-BATWR3O7.js";import"./part-chunk-BXUFFGEV.js";import"./part-chunk-2YCFNCZY.js";import"./part-chunk-6CYLITAH.js";export{r as Ruled,p as Rulings};
