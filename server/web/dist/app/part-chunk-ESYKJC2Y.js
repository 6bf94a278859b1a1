/* Licenses: LICENSES.txt */
import{c as a,e,la as r}from"./part-chunk-UORNO6V4.js";function l({label:a,name:l,options:t}){let o=r();return e("div",{class:"segmented",role:"group","aria-label":a},t.map(({value:a,label:r})=>e("a",{key:r,href:o.with({[l]:a}),"aria-current":o.query[l]===a?"true":void 0},r)))}a();export{l as a};
