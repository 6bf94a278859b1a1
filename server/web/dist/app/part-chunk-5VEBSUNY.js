import{c as a}from"./part-chunk-LJML4Q3B.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-MZQK2RTQ.js")]);return await o(),t}a();export{t as a};
