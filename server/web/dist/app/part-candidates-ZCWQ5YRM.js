/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-GJWAYRGD.js";import{J as o,h as t,o as e}from"./part-chunk-W3LCVNYP.js";function i(){return t(r,{title:e("candidates.title"),children:t(o,{})})}export{i as default};
