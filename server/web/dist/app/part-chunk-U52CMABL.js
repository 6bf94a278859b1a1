/* Licenses: LICENSES.txt */
import{g as a}from"./part-chunk-NRUYUFYE.js";import{a as t,c as i}from"./part-chunk-CPIL7UZC.js";import{c as r,e as n,na as s,x as e}from"./part-chunk-KPKJ52LC.js";function c(){let r=n(i,{href:s("/invite"),kind:"primary"},e("candidates.invite"));return n(t,{title:e("candidates.title"),actions:r},n(a,null))}r();export{c as a};
