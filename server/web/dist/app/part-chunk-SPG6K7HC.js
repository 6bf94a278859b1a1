import{c as e}from"./part-chunk-QU4KAYJE.js";function r(e){return e.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu,"-").replaceAll(/^-+|-+$/g,"").slice(0,80)}e();export{r as a};
