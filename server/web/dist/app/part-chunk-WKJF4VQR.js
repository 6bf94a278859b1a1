import{d as a}from"./part-chunk-GJ4JLTWU.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-4BGWXBHN.js")]);return await o(),t}a();export{t as a};
