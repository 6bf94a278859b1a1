/* Licenses: LICENSES.txt */
import{c as a}from"./part-chunk-QKQ46RKM.js";async function t(a){let[t,{loadDecisionTexts:o}]=await Promise.all([a,import("./part-load-I7L553CI.js")]);return await o(),t}a();export{t as a};
