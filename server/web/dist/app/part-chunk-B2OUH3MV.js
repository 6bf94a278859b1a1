/* Licenses: LICENSES.txt */
import{c as o}from"./part-chunk-UEBU527K.js";import{z as e}from"./part-chunk-DMMOWFCR.js";var r={MEMBER:0,ADMIN:1,OWNER:2};function f(n){if(!((r[o.value?.role]??0)>=r[n]))return n==="OWNER"?e("role.needsOwner"):e("role.needsAdmin")}export{f as a};
