/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-PGARHV2K.js";import{L as e,h as t,o}from"./part-chunk-GROWOKEN.js";function m(){return t(r,{title:o("compare.title"),children:t(e,{})})}export{m as default};
