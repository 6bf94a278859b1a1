import{c as a}from"./part-chunk-PKGW22BF.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-JXSSORCF.js")]);return await o(),t}a();export{t as a};
