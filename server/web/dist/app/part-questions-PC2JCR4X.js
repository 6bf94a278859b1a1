/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-Z7XXMFLU.js";import{K as o,n as t,u as e}from"./part-chunk-JQBBUPDT.js";function m(){return t(r,{title:e("assessment.title"),children:t(o,{})})}export{m as default};
