/* Licenses: LICENSES.txt */
import{d as r}from"./part-chunk-J2DNEP5Z.js";import{p as e}from"./part-chunk-2OEQYUYR.js";import{c as o}from"./part-chunk-CIM4GWOD.js";o();var n={MEMBER:0,EDITOR:1,ADMIN:2,OWNER:3},s={MEMBER:"role.needsAdmin",EDITOR:"role.needsEditor",ADMIN:"role.needsAdmin",OWNER:"role.needsOwner"};function E(o){if(!((n[r.value?.role]??0)>=n[o]))return e(s[o])}export{E as a};
