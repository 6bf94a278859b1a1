/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-PGARHV2K.js";import{L as e,h as t,o}from"./part-chunk-GROWOKEN.js";function i(){return t(r,{title:o("auditLog.title"),children:t(e,{})})}export{i as default};
