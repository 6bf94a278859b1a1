/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-G3A2FGSC.js";import{T as e,l as o,u as t}from"./part-chunk-IVF2LJKU.js";function f(){return o(r,{title:t("webhooks.title"),children:o(e,{})})}export{f as default};
