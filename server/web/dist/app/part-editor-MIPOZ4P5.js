/* Licenses: LICENSES.txt */
import{P as r}from"./part-chunk-23IHNHBK.js";import"./part-chunk-VUAOGJWD.js";import"./part-chunk-USI4NDYA.js";import"./part-chunk-WSNB37DM.js";import"./part-chunk-M7OX2ORE.js";import"./part-chunk-OWPX4JVS.js";import"./part-chunk-WCNMILSX.js";import"./part-chunk-DLEIK5DB.js";export{r as default};
