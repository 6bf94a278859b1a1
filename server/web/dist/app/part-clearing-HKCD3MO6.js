/* Licenses: LICENSES.txt */
import{a as r,b as a,c as t}from"./part-chunk-J6KL4QDY.js";import"./part-chunk-WTIQ6VTL.js";import"./part-chunk-PWLR63VN.js";export{r as clear,a as trim,t as unsaved};
