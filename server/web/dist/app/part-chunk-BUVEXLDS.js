/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-RMZ4M2ZS.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-JIXTDN5V.js")]);return await o(),t}a();export{t as a};
