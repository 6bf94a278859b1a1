/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-GJWAYRGD.js";import{J as e,h as t,o}from"./part-chunk-W3LCVNYP.js";function f(){return t(r,{title:o("profile.title"),children:t(e,{})})}export{f as default};
