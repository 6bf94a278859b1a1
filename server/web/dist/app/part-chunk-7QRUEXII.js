/* Licenses: LICENSES.txt */
import{b as t}from"./part-chunk-7EMKHK5F.js";import{c}from"./part-chunk-CIM4GWOD.js";c();function l(i){let{options:o,correctOptionId:s,correctOptionIds:p,answer:r,tolerance:n,acceptedAnswers:a}=i;if(o){let u=p??[s];return o.filter(({id:e})=>u.includes(e)).map(e=>e.text).join(", ")}return r!==null?n?`${t(r)} ± ${t(n)}`:t(r):(a??[]).join(" / ")}export{l as a};
