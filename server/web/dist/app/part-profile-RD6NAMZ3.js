/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-PGARHV2K.js";import{L as e,h as t,o}from"./part-chunk-GROWOKEN.js";function f(){return t(r,{title:o("profile.title"),children:t(e,{})})}export{f as default};
