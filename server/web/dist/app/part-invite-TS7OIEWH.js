/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-Z7XXMFLU.js";import{K as o,n as t,u as e}from"./part-chunk-JQBBUPDT.js";function i(){return t(r,{title:e("invite.title"),children:t(o,{})})}export{i as default};
