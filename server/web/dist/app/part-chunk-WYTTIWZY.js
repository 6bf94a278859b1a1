/* Licenses: LICENSES.txt */
import{b as t}from"./part-chunk-VCPM4KI2.js";import{c as r}from"./part-chunk-QKQ46RKM.js";function e(r){let{options:e,correctOptionId:n,correctOptionIds:o,answer:i,tolerance:c,acceptedAnswers:p}=r;if(e){let t=o??[n];return e.filter(({id:r})=>t.includes(r)).map(t=>t.text).join(", ")}return i!==null?c?`${t(i)} ± ${t(c)}`:t(i):(p??[]).join(" / ")}r();export{e as a};
