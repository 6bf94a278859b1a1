/* Licenses: LICENSES.txt */
import{d as r}from"./part-chunk-RICOHCCY.js";import{p as e}from"./part-chunk-2OEQYUYR.js";import{c as o}from"./part-chunk-CIM4GWOD.js";o();var a={MEMBER:0,ADMIN:1,OWNER:2};function n(o){if(!((a[r.value?.role]??0)>=a[o]))return e("OWNER"===o?"role.needsOwner":"role.needsAdmin")}export{n as a};
