/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-5ANWW547.js";import{a as t,c as i}from"./part-chunk-HWHKUY55.js";import{c as r,e as s,sa as n,y as e}from"./part-chunk-QKQ46RKM.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
