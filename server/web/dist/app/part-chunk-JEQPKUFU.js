import{d as a}from"./part-chunk-ZWCDUJSL.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-RLUHMRFV.js")]);return await o(),t}a();export{t as a};
