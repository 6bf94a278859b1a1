/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-KF4526SV.js";import"./part-chunk-U6KS6RU2.js";import"./part-chunk-QH2Z2I4W.js";import"./part-chunk-5DPH22VN.js";import"./part-chunk-R2LKNA75.js";import"./part-chunk-QKQ46RKM.js";export{r as Ruled,p as Rulings};
