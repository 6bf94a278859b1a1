/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-LHSFBFJ4.js";import{a as t,c as r}from"./part-chunk-R33LGS74.js";import{c as i,e as s,ra as n,x as e}from"./part-chunk-M3HWJ2FO.js";function c(){let i=s(r,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:i},s(a,null))}i();export{c as a};
