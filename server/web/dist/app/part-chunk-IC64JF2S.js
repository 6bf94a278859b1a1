/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-4HAI6Q5C.js";import{p as t}from"./part-chunk-2S32E5D2.js";import{c as o}from"./part-chunk-CIM4GWOD.js";function a(t){return t.split(",").map(r=>r.trim()).filter(t=>!r(t))}function n(r){return r.some(r=>[...r].length>40)?t("field.too_long"):void 0}o();export{a,n as b};
