import{c as a}from"./part-chunk-ZGO7FEN3.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-452W5C55.js")]);return await o(),t}a();export{t as a};
