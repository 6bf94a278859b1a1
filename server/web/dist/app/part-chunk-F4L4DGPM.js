/* Licenses: LICENSES.txt */
import{Ia as a,c as s,wa as t,xa as i,y as r}from"./part-chunk-QKQ46RKM.js";function o(s){return s.split(",").map(a=>a.trim()).filter(s=>!a(s))}function e(a){return a.some(a=>[...a].length>40)?r("field.too_long"):void 0}s();var n=(a,s)=>i(t.PATCH("/v1/candidate-sessions/{id}/review/tags",{params:{path:{id:a}},body:s}));export{o as a,e as b,n as c};
