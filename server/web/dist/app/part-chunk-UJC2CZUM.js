import{c as a}from"./part-chunk-7AOVJLQM.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-S3SLEZEQ.js")]);return await o(),t}a();export{t as a};
