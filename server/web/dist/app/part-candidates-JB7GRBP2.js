/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-G3A2FGSC.js";import{T as o,l as t,u as e}from"./part-chunk-IVF2LJKU.js";function i(){return t(r,{title:e("candidates.title"),children:t(o,{})})}export{i as default};
