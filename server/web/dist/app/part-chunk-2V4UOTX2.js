import{c as a}from"./part-chunk-NZCJIUVI.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-AVDEE6J5.js")]);return await o(),t}a();export{t as a};
