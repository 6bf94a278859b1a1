/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-6KT5RKBN.js";import{a as t,c as i}from"./part-chunk-QFBNVHI4.js";import{c as r,e as s,ka as n,w as e}from"./part-chunk-CE735CH4.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
