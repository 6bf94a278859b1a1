/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-PGARHV2K.js";import{L as e,h as o,o as t}from"./part-chunk-GROWOKEN.js";function f(){return o(r,{title:t("webhooks.title"),children:o(e,{})})}export{f as default};
