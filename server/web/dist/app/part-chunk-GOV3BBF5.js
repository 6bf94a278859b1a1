/* Licenses: LICENSES.txt */
import{d as o}from"./part-chunk-Y3MJGAVM.js";import{y as e}from"./part-chunk-O7GYIURL.js";var r={MEMBER:0,ADMIN:1,OWNER:2};function f(n){if(!((r[o.value?.role]??0)>=r[n]))return n==="OWNER"?e("role.needsOwner"):e("role.needsAdmin")}export{f as a};
