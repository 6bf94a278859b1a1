/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-M3HWJ2FO.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-AQ34WINZ.js")]);return await o(),t}a();export{t as a};
