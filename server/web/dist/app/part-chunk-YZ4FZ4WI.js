/* Licenses: LICENSES.txt */
import{c as o}from"./part-chunk-GWD2L36A.js";import{y as e}from"./part-chunk-KTOHKFHW.js";var r={MEMBER:0,ADMIN:1,OWNER:2};function f(n){if(!((r[o.value?.role]??0)>=r[n]))return n==="OWNER"?e("role.needsOwner"):e("role.needsAdmin")}export{f as a};
