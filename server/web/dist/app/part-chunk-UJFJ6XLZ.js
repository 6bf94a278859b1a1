import{c as a}from"./part-chunk-LQKUM6BD.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-RV7EKF23.js")]);return await o(),t}a();export{t as a};
