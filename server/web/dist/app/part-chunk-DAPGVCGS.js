import{d as a}from"./part-chunk-GIKZIMJQ.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-RYHD62RR.js")]);return await o(),t}a();export{t as a};
