/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-GJWAYRGD.js";import{J as e,h as t,o}from"./part-chunk-W3LCVNYP.js";function m(){return t(r,{title:o("compare.title"),children:t(e,{})})}export{m as default};
