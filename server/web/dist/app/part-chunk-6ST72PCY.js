/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-R3HIJY5Q.js";import{a as t,c as i}from"./part-chunk-IVZRSX7M.js";import{c as r,e as s,ia as n,v as e}from"./part-chunk-HTL6LBDR.js";function c(){let r=s(i,{href:n("/invite"),kind:"primary"},e("candidates.invite"));return s(t,{title:e("candidates.title"),actions:r},s(a,null))}r();export{c as a};
