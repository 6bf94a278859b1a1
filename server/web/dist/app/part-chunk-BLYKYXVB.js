import{d as a}from"./part-chunk-VLAPJSCM.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-BNCQW2OB.js")]);return await o(),t}a();export{t as a};
