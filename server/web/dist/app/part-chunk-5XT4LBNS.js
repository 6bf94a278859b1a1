import{c as a}from"./part-chunk-C3TRP6R3.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-GPT2XLKE.js")]);return await o(),t}a();export{t as a};
