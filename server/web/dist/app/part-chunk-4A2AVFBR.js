/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-JXKRP5TF.js";import{a as t,c as r}from"./part-chunk-5KPJP7TL.js";import{c as i,e as s,ra as n,x as e}from"./part-chunk-ICBO5J5C.js";function c(){let i=s(r,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:i},s(a,null))}i();export{c as a};
