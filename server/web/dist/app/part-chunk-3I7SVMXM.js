import{c as a}from"./part-chunk-VYEQL7BG.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-V3EM7DWP.js")]);return await o(),t}a();export{t as a};
