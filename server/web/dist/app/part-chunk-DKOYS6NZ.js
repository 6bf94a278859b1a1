import{c as a}from"./part-chunk-BDZCC3MC.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-VXGIDUXO.js")]);return await o(),t}a();export{t as a};
