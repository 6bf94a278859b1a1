/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-NO4S3IAK.js";import"./part-chunk-QUFBZMDT.js";import"./part-chunk-2NJBOHUG.js";import"./part-chunk-T7Z7BIGI.js";import"./part-chunk-R5AKDTGV.js";import"./part-chunk-MSNHCF7B.js";import"./part-chunk-U2M55KNC.js";import"./part-chunk-3ZZMAJ2A.js";export{r as default};
