/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-Z7XXMFLU.js";import{K as e,n as o,u as t}from"./part-chunk-JQBBUPDT.js";function f(){return o(r,{title:t("webhooks.title"),children:o(e,{})})}export{f as default};
