import{c as a}from"./part-chunk-QU4KAYJE.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-QK3RH4ZI.js")]);return await o(),t}a();export{t as a};
