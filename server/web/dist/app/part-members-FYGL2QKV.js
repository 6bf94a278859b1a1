/* Licenses: LICENSES.txt */
import{b as r}from"./part-chunk-3UCVSLHL.js";import"./part-chunk-3SKOUJHF.js";import"./part-chunk-A4WV42NJ.js";import"./part-chunk-KU5IPTQ5.js";import"./part-chunk-SFCKYNPU.js";import"./part-chunk-HOIZ4CF4.js";import"./part-chunk-HQRCJIX3.js";import"./part-chunk-GSL4IREH.js";export{r as default};
