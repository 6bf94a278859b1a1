/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-743SKPJS.js";import"./part-chunk-5YS2W7RL.js";import"./part-chunk-7IV3HVH3.js";import"./part-chunk-EAFYBLV3.js";import"./part-chunk-ALHJCD33.js";import"./part-chunk-DVKHXHA4.js";import"./part-chunk-J7ANGJDP.js";import"./part-chunk-JNK322EZ.js";export{r as default};
