/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-JDPZFIXJ.js";import{S as e,l as t,u as o}from"./part-chunk-4IEQUF5K.js";function m(){return t(r,{title:o("home.title"),children:t(e,{})})}export{m as default};
