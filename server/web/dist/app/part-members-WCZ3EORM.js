/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-ARCRUGZP.js";import"./part-chunk-ZZK6ZG6I.js";import"./part-chunk-GKF22JFQ.js";import"./part-chunk-UDQIWQMI.js";import"./part-chunk-TCEGPUZO.js";import"./part-chunk-UBUMFQ2R.js";import"./part-chunk-JA3KMIZN.js";import"./part-chunk-TUEDBWH3.js";export{r as default};
