/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-JDPZFIXJ.js";import{S as e,l as o,u as t}from"./part-chunk-4IEQUF5K.js";function f(){return o(r,{title:t("webhooks.title"),children:o(e,{})})}export{f as default};
