/* Licenses: LICENSES.txt */
import{b as p}from"./part-chunk-T3FNCNFA.js";import{a as o,c as r,p as m}from"./part-chunk-2OEQYUYR.js";import{c as n,f as t,m as y}from"./part-chunk-CIM4GWOD.js";n();y();function C(i){let e;return function(f){let[,u]=o({});return r(()=>{e||i().then(s=>{e=s,u({})},()=>p(m("screen.missing.text")))},[]),e?t(e,f):null}}export{C as a};
