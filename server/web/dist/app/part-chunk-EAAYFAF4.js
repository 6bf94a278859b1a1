/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-72YEEX26.js";import{a as t,c as i}from"./part-chunk-OWPX4JVS.js";import{c as r,e as s,ma as n,x as e}from"./part-chunk-DLEIK5DB.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
