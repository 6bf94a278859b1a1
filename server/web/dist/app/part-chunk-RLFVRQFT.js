/* Licenses: LICENSES.txt */
import{d as r}from"./part-chunk-RICOHCCY.js";import{p as e}from"./part-chunk-2OEQYUYR.js";import{c as o}from"./part-chunk-CIM4GWOD.js";o();var t={MEMBER:0,ADMIN:1,OWNER:2};function m(n){if(!((t[r.value?.role]??0)>=t[n]))return n==="OWNER"?e("role.needsOwner"):e("role.needsAdmin")}export{m as a};
