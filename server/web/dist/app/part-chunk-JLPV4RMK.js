/* Licenses: LICENSES.txt */
import{p as n,w as r}from"./part-chunk-O7GYIURL.js";var s=typeof trustedTypes>"u"?{createHTML:e=>e}:trustedTypes.createPolicy("assay",{createHTML:e=>e});function c({html:e,place:t,...i}){return n("div",{dir:"auto",lang:r.value,...i,...t?{ref:t}:{},dangerouslySetInnerHTML:{__html:s.createHTML(e)}})}export{c as a};
