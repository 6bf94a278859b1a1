import{d as a}from"./part-chunk-P2SAMZW3.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-7MW2UGQE.js")]);return await o(),t}a();export{t as a};
