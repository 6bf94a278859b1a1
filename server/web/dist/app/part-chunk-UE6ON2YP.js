import{c as a}from"./part-chunk-QWJSPUT7.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-JSWX3BYD.js")]);return await o(),t}a();export{t as a};
