import{c as a}from"./part-chunk-HOXMSFYB.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-RYG5UXSE.js")]);return await o(),t}a();export{t as a};
