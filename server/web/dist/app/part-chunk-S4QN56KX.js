/* Licenses: LICENSES.txt */
import{e as a}from"./part-chunk-VD5X6KDE.js";import{c as e,f as r}from"./part-chunk-CIM4GWOD.js";function t({label:e,name:t,options:o}){let l=a();return r("div",{class:"segmented",role:"group","aria-label":e},o.map(({value:a,label:e})=>r("a",{key:e,href:l.with({[t]:a}),"aria-current":l.query[t]===a?"true":void 0},e)))}e();export{t as a};
