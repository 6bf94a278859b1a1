/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-ZC5XNYJA.js";import{a as t,c as i}from"./part-chunk-XZUYZD2D.js";import{c as r,e as s,qa as n,x as e}from"./part-chunk-MDXO3J2M.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
