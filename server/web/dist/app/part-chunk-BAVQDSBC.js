/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-MDXO3J2M.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-NBT2XQME.js")]);return await o(),t}a();export{t as a};
