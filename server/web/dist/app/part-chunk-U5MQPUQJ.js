import{c as a}from"./part-chunk-W2DEK363.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-WOSXAATG.js")]);return await o(),t}a();export{t as a};
