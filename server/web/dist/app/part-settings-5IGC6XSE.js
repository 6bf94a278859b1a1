/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-G3A2FGSC.js";import{T as o,l as t,u as e}from"./part-chunk-IVF2LJKU.js";function m(){return t(r,{title:e("assessment.title"),children:t(o,{})})}export{m as default};
