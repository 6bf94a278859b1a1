/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-TEIB4F5L.js";import{a as t,c as r}from"./part-chunk-DVKHXHA4.js";import{c as i,e as s,ra as n,x as e}from"./part-chunk-JNK322EZ.js";function c(){let i=s(r,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:i},s(a,null))}i();export{c as a};
