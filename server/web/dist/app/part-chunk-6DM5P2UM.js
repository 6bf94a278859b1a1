import{c as a}from"./part-chunk-QPUV5P5K.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-ELI5YBBW.js")]);return await o(),t}a();export{t as a};
