/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-BWN4BKBS.js";import"./part-chunk-G3ROAFAD.js";import"./part-chunk-6GD6D7VP.js";import{a as o}from"./part-chunk-OT5DND56.js";import"./part-chunk-63SF36X4.js";import{p as t,y as e}from"./part-chunk-T3TORTBI.js";function m(){return t(r,{title:e("assessments.title"),children:t(o,{})})}export{m as default};
