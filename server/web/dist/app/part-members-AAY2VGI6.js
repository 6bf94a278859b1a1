/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-5FSJISIP.js";import"./part-chunk-5OGXZW7U.js";import"./part-chunk-IG6JAK6J.js";import"./part-chunk-GARCZ7EW.js";import"./part-chunk-4IMVDHQD.js";import"./part-chunk-UYKOBMST.js";import"./part-chunk-L6DNVKX3.js";import"./part-chunk-L7JKIY3R.js";export{r as default};
