/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-L7JKIY3R.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-HUMLXDAK.js")]);return await o(),t}a();export{t as a};
