import{c as a}from"./part-chunk-NLX5BPKX.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-Y4ZWNXQJ.js")]);return await o(),t}a();export{t as a};
