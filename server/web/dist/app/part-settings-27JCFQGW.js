/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-GJWAYRGD.js";import{J as o,h as t,o as e}from"./part-chunk-W3LCVNYP.js";function m(){return t(r,{title:e("assessment.title"),children:t(o,{})})}export{m as default};
