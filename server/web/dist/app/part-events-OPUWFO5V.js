/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-PGARHV2K.js";import{L as o,h as t,o as e}from"./part-chunk-GROWOKEN.js";function f(){return t(r,{title:e("events.title"),children:t(o,{})})}export{f as default};
