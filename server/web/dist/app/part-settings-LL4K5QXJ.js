/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-JDPZFIXJ.js";import{S as o,l as t,u as e}from"./part-chunk-4IEQUF5K.js";function i(){return t(r,{title:e("settings.title"),children:t(o,{})})}export{i as default};
