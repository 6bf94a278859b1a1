/* Licenses: LICENSES.txt */
import{Ca as a,c as s,qa as t,ra as r,w as i}from"./part-chunk-UORNO6V4.js";function o(s){return s.split(",").map(a=>a.trim()).filter(s=>!a(s))}function e(a){return a.some(a=>[...a].length>40)?i("field.too_long"):void 0}s();var n=(a,s)=>r(t.PATCH("/v1/candidate-sessions/{id}/review/tags",{params:{path:{id:a}},body:s}));export{o as a,e as b,n as c};
