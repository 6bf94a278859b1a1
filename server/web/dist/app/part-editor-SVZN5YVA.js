/* Licenses: LICENSES.txt */
import{Q as r}from"./part-chunk-L6STYRNS.js";import"./part-chunk-NG5TZO62.js";import"./part-chunk-LLS4Z34U.js";import"./part-chunk-6OBCZAIO.js";import"./part-chunk-5BHGE5V4.js";import"./part-chunk-LVV77R3V.js";import"./part-chunk-5KPJP7TL.js";import"./part-chunk-JCBMER7T.js";import"./part-chunk-ICBO5J5C.js";export{r as default};
