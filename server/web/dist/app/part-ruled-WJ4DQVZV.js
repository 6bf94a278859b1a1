/* Licenses: LICENSES.txt */
import{a as r,b as p}from"./part-chunk-QQNQNLP3.js";import"./part-chunk-HALBZPVO.js";import"./part-chunk-75E4Q37J.js";import"./part-chunk-ESFRMLU3.js";import"./part-chunk-ALHJCD33.js";import"./part-chunk-JNK322EZ.js";export{r as Ruled,p as Rulings};
