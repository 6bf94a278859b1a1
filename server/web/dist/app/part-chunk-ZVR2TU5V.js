/* Licenses: LICENSES.txt */
import{e as i}from"./part-chunk-3TNQAGNP.js";import{c as a,f as e}from"./part-chunk-CIM4GWOD.js";a();function g({label:d,name:r,options:l}){let n=i();return e("div",{class:"segmented",role:"group","aria-label":d},l.map(({value:s,label:t})=>e("a",{key:t,href:n.with({[r]:s}),"aria-current":n.query[r]===s?"true":void 0},t)))}export{g as a};
