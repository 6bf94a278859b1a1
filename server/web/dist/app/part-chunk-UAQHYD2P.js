import{d as a}from"./part-chunk-DY3BY64Y.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-JD5LSQVD.js")]);return await o(),t}a();export{t as a};
