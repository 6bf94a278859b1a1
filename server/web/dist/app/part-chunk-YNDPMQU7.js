import{d as a}from"./part-chunk-6NJZNH7A.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-YCOJMQTT.js")]);return await o(),t}a();export{t as a};
