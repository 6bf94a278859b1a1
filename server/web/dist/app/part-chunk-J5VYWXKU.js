/* Licenses: LICENSES.txt */
import{c as a,e,ta as r}from"./part-chunk-QKQ46RKM.js";function t({label:a,name:t,options:l}){let o=r();return e("div",{class:"segmented",role:"group","aria-label":a},l.map(({value:a,label:r})=>e("a",{key:r,href:o.with({[t]:a}),"aria-current":o.query[t]===a?"true":void 0},r)))}a();export{t as a};
