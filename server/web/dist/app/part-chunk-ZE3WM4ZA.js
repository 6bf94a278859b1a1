/* Licenses: LICENSES.txt */
import{Ca as t,c as o,w as r}from"./part-chunk-57LWDVNI.js";function a(o){return o.split(",").map(t=>t.trim()).filter(o=>!t(o))}function n(t){return t.some(t=>[...t].length>40)?r("field.too_long"):void 0}o();export{a,n as b};
