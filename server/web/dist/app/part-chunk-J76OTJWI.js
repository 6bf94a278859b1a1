import{c as a}from"./part-chunk-5TPAT557.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-BUVZ2CNU.js")]);return await o(),t}a();export{t as a};
