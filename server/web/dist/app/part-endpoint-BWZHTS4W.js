/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-GJWAYRGD.js";import{J as e,h as o,o as t}from"./part-chunk-W3LCVNYP.js";function f(){return o(r,{title:t("webhooks.title"),children:o(e,{})})}export{f as default};
