/* Licenses: LICENSES.txt */
import{b as a}from"./part-chunk-KKJH5RDL.js";import{c as s,ua as i,va as n}from"./part-chunk-RMZ4M2ZS.js";function o({id:s,updatedAt:o},t={}){return a(`/v1/candidate-sessions/${s}/open-decision ${o}`,()=>n(i.GET("/v1/candidate-sessions/{id}/open-decision",{params:{path:{id:s}}})),t)}s();export{o as a};
