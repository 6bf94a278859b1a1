/* Licenses: LICENSES.txt */
import{a as e}from"./part-chunk-GHBJBHCX.js";import"./part-chunk-LLLPHDZQ.js";import{a as r}from"./part-chunk-LPZYY63I.js";import"./part-chunk-5TAHQWPI.js";import"./part-chunk-N7CPL7H6.js";import"./part-chunk-VDTFSDKZ.js";import{p as t,z as o}from"./part-chunk-DMMOWFCR.js";function i(){return t(r,{title:o("auditLog.title"),children:t(e,{})})}export{i as default};
