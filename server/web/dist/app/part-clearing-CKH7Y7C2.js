import{a as r,b as a,c as t}from"./part-chunk-556SVFZ5.js";import"./part-chunk-E4ORVTUN.js";import"./part-chunk-BMAC7GYP.js";export{r as clear,a as trim,t as unsaved};
