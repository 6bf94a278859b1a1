/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-JNK322EZ.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-F5HFPPWQ.js")]);return await o(),t}a();export{t as a};
