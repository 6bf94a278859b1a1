/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-GJWAYRGD.js";import{J as e,h as t,o}from"./part-chunk-W3LCVNYP.js";function i(){return t(r,{title:o("editor.title"),children:t(e,{})})}export{i as default};
