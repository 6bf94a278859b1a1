import{c as a}from"./part-chunk-BMAC7GYP.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-UJGZX6C7.js")]);return await o(),t}a();export{t as a};
