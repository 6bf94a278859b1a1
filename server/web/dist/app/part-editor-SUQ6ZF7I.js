/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-EHBPBYH2.js";import"./part-chunk-MP6N7KUV.js";import"./part-chunk-KRHHLWDB.js";import"./part-chunk-7IV3HVH3.js";import"./part-chunk-5KAYSPM5.js";import"./part-chunk-DVKHXHA4.js";import"./part-chunk-J7ANGJDP.js";import"./part-chunk-JNK322EZ.js";export{r as default};
