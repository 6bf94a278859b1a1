/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-Z7XXMFLU.js";import{K as o,n as t,u as e}from"./part-chunk-JQBBUPDT.js";function f(){return t(r,{title:e("events.title"),children:t(o,{})})}export{f as default};
