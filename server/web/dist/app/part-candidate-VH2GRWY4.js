/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-PGARHV2K.js";import{L as o,h as t,o as e}from"./part-chunk-GROWOKEN.js";function i(){return t(r,{title:e("candidate.title"),children:t(o,{})})}export{i as default};
