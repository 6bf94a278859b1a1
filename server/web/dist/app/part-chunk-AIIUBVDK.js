import{d as a}from"./part-chunk-AUEWNLWV.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-6UZGJYBU.js")]);return await o(),t}a();export{t as a};
