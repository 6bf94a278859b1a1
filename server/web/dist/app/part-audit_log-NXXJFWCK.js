/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-JDPZFIXJ.js";import{S as e,l as t,u as o}from"./part-chunk-4IEQUF5K.js";function i(){return t(r,{title:o("auditLog.title"),children:t(e,{})})}export{i as default};
