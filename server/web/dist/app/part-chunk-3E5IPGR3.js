/* Licenses: LICENSES.txt */
import{b as t}from"./part-chunk-LNLQPO3R.js";import{a as r,c as s,p as a}from"./part-chunk-2S32E5D2.js";import{c as n,f as e,m as o}from"./part-chunk-CIM4GWOD.js";function c(n){let o;return function(c){let[,m]=r({});return s(()=>{o||n().then(t=>{o=t,m({})},()=>t(a("screen.missing.text")))},[]),o?e(o,c):null}}n(),o();export{c as a};
