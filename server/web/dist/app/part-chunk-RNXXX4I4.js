/* Licenses: LICENSES.txt */
import{n as i}from"./part-chunk-TIV7CSFO.js";import{c as n,f as r}from"./part-chunk-CIM4GWOD.js";n();var a=typeof trustedTypes>"u"?{createHTML:e=>e}:trustedTypes.createPolicy("assay",{createHTML:e=>e});function l({html:e,place:t,...s}){return r("div",{dir:"auto",lang:i.value,...s,...t?{ref:t}:{},dangerouslySetInnerHTML:{__html:a.createHTML(e)}})}export{l as a};
