/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-6NJZLHPK.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-WJLCJMQX.js")]);return await o(),t}a();export{t as a};
