/* Licenses: LICENSES.txt */
import{c as o}from"./part-chunk-63SF36X4.js";import{y as e}from"./part-chunk-T3TORTBI.js";var r={MEMBER:0,ADMIN:1,OWNER:2};function f(n){if(!((r[o.value?.role]??0)>=r[n]))return n==="OWNER"?e("role.needsOwner"):e("role.needsAdmin")}export{f as a};
