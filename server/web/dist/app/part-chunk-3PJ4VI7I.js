import{c as a}from"./part-chunk-P557UEZE.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-PO3YFOGS.js")]);return await o(),t}a();export{t as a};
