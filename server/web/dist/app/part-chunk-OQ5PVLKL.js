/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-MECIWZGM.js";import{a as t,c as i}from"./part-chunk-5MJKM43X.js";import{c as r,e as s,ka as n,w as e}from"./part-chunk-UORNO6V4.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
