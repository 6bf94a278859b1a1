import{c as a}from"./part-chunk-U544QKFR.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-K7VA7AW5.js")]);return await o(),t}a();export{t as a};
