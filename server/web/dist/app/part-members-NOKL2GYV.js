/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-CIOMLDOM.js";import"./part-chunk-YDKWNEUS.js";import"./part-chunk-WSNB37DM.js";import"./part-chunk-PCLCS4QT.js";import"./part-chunk-2GHSM4LC.js";import"./part-chunk-OWPX4JVS.js";import"./part-chunk-WCNMILSX.js";import"./part-chunk-DLEIK5DB.js";export{r as default};
