/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-HLYFE43D.js";import{a as t,c as i}from"./part-chunk-CMO2WLSD.js";import{c as r,e as s,ka as n,w as e}from"./part-chunk-H2H67PXO.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
