import{c as a}from"./part-chunk-SC4RAQJP.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-5EIKQSO3.js")]);return await o(),t}a();export{t as a};
