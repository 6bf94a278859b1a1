/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-Z7XXMFLU.js";import{K as e,n as t,u as o}from"./part-chunk-JQBBUPDT.js";function i(){return t(r,{title:o("editor.title"),children:t(e,{})})}export{i as default};
