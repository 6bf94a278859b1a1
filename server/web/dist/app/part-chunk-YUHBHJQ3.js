/* Licenses: LICENSES.txt */
import{Ha as a,c as s,va as t,wa as i,x as r}from"./part-chunk-ICBO5J5C.js";function o(s){return s.split(",").map(a=>a.trim()).filter(s=>!a(s))}function e(a){return a.some(a=>[...a].length>40)?r("field.too_long"):void 0}s();var n=(a,s)=>i(t.PATCH("/v1/candidate-sessions/{id}/review/tags",{params:{path:{id:a}},body:s}));export{o as a,e as b,n as c};
