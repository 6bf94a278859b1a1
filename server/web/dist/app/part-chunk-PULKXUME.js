import{c as a}from"./part-chunk-TBMDUE3Z.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-OGUVAWP3.js")]);return await o(),t}a();export{t as a};
