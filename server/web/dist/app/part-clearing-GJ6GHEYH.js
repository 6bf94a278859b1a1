import{a as r,b as a,c as t}from"./part-chunk-MQV2DOI7.js";import"./part-chunk-A7FCXVXR.js";import"./part-chunk-QPUV5P5K.js";export{r as clear,a as trim,t as unsaved};
