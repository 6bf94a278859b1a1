/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-3DRIAEOE.js";import"./part-chunk-6OBCZAIO.js";import"./part-chunk-U37TOOR2.js";import"./part-chunk-ID3HMTTC.js";import"./part-chunk-DQGJLTXM.js";import"./part-chunk-5KPJP7TL.js";import"./part-chunk-JCBMER7T.js";import"./part-chunk-ICBO5J5C.js";export{r as default};
