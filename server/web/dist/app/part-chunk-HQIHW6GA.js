/* Licenses: LICENSES.txt */
import{Aa as t,c as o,v as r}from"./part-chunk-HTL6LBDR.js";function a(o){return o.split(",").map(t=>t.trim()).filter(o=>!t(o))}function n(t){return t.some(t=>[...t].length>40)?r("field.too_long"):void 0}o();export{a,n as b};
