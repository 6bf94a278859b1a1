/* Licenses: LICENSES.txt */
import{F as r}from"./part-chunk-OENGSRS4.js";import"./part-chunk-QP5Y7OX6.js";import"./part-chunk-3SDYMIA3.js";import"./part-chunk-ZB53YVN4.js";import"./part-chunk-5MJKM43X.js";import"./part-chunk-2LQIM2HR.js";import"./part-chunk-UORNO6V4.js";export{r as default};
