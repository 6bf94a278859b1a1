/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-ICBO5J5C.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-TEJKJUNJ.js")]);return await o(),t}a();export{t as a};
