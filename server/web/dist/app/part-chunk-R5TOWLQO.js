/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-DYNY3N5O.js";import{a as t,c as i}from"./part-chunk-UBUMFQ2R.js";import{c as r,e as s,ma as n,x as e}from"./part-chunk-TUEDBWH3.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
