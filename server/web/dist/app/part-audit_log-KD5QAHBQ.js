/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-G3A2FGSC.js";import{T as e,l as t,u as o}from"./part-chunk-IVF2LJKU.js";function i(){return t(r,{title:o("auditLog.title"),children:t(e,{})})}export{i as default};
