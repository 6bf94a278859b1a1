/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-NMW47WDD.js";import{a as t,c as i}from"./part-chunk-2HZ6YDEB.js";import{c as r,e as s,ka as n,w as e}from"./part-chunk-57LWDVNI.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
