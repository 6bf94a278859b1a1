/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-J2PEFKO4.js";import"./part-chunk-ZSNKZA72.js";import"./part-chunk-QVWRRLDP.js";import"./part-chunk-5UAO4CNU.js";import"./part-chunk-HVAAX3T6.js";import"./part-chunk-6NJZLHPK.js";export{r as Ruled,p as Rulings};
