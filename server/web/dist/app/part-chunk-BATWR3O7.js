/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-6CYLITAH.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-4A3OYDXW.js")]);return await o(),t}a();export{t as a};
