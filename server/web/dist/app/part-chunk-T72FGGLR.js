/* Licenses: LICENSES.txt */
import{c as a,e,na as r}from"./part-chunk-TUEDBWH3.js";function t({label:a,name:t,options:l}){let n=r();return e("div",{class:"segmented",role:"group","aria-label":a},l.map(({value:a,label:r})=>e("a",{key:r,href:n.with({[t]:a}),"aria-current":n.query[t]===a?"true":void 0},r)))}a();export{t as a};
