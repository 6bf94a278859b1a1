/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-Z7XXMFLU.js";import{K as e,n as t,u as o}from"./part-chunk-JQBBUPDT.js";function m(){return t(r,{title:o("home.title"),children:t(e,{})})}export{m as default};
