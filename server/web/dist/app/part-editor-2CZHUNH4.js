/* Licenses: LICENSES.txt */
import{F as r}from"./part-chunk-W6AVTVPT.js";import"./part-chunk-KWRULJNH.js";import"./part-chunk-ZIZ6LJUC.js";import"./part-chunk-WM4M5AUR.js";import"./part-chunk-UBUMFQ2R.js";import"./part-chunk-JA3KMIZN.js";import"./part-chunk-TUEDBWH3.js";export{r as default};
