/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-LBW63L4K.js";import"./part-chunk-QKY5ET4T.js";import"./part-chunk-7YXTJIRV.js";import{a as o}from"./part-chunk-A2FQVFJH.js";import"./part-chunk-GWD2L36A.js";import{p as t,y as e}from"./part-chunk-KTOHKFHW.js";function i(){return t(r,{title:e("invite.title"),children:t(o,{})})}export{i as default};
