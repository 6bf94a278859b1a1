/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-DKKQAA7W.js";import{a as t,c as r}from"./part-chunk-MSNHCF7B.js";import{c as i,e as s,ra as n,x as e}from"./part-chunk-3ZZMAJ2A.js";function c(){let i=s(r,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:i},s(a,null))}i();export{c as a};
