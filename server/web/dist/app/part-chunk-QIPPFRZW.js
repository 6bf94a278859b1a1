/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-JT3Q5JOK.js";import{a as t,c as i}from"./part-chunk-4FP25H6O.js";import{c as r,e as s,qa as n,x as e}from"./part-chunk-RMZ4M2ZS.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
