/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-G3A2FGSC.js";import{T as o,l as t,u as e}from"./part-chunk-IVF2LJKU.js";function f(){return t(r,{title:e("events.title"),children:t(o,{})})}export{f as default};
