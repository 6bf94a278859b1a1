import{c as a}from"./part-chunk-BKTYLSZP.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-2WJGOQ3H.js")]);return await o(),t}a();export{t as a};
