/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-3ZZMAJ2A.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-BAQ3UZSX.js")]);return await o(),t}a();export{t as a};
