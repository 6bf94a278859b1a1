import{c as a}from"./part-chunk-ZVINPSRA.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-BZSCZY32.js")]);return await o(),t}a();export{t as a};
