/* Licenses: LICENSES.txt */
<<<<<<<< HEAD:server/web/dist/app/part-chunk-PLAK5VMY.js
import{g as t}from"./part-chunk-EDLHUFSX.js";import{a,c as r}from"./part-chunk-IOSABJXH.js";import{d as i}from"./part-chunk-SQ5XF7FP.js";import{p as s}from"./part-chunk-2S32E5D2.js";import{c as n,f as o}from"./part-chunk-CIM4GWOD.js";function p(){let n=o(r,{href:i("/invite"),kind:"primary"},s("candidates.invite"));return o(a,{title:s("candidates.title"),actions:n},o(t,null))}n();export{p as a};
========
import{g as t}from"./part-chunk-XYACC6TS.js";import{a,c as r}from"./part-chunk-6GDJQNFE.js";import{d as i}from"./part-chunk-6LCB3HGD.js";import{p as s}from"./part-chunk-2S32E5D2.js";import{c as n,f as o}from"./part-chunk-CIM4GWOD.js";function p(){let n=o(r,{href:i("/invite"),kind:"primary"},s("candidates.invite"));return o(a,{title:s("candidates.title"),actions:n},o(t,null))}n();export{p as a};
>>>>>>>> proof:server/web/dist/app/part-chunk-ZNNHHWYV.js
