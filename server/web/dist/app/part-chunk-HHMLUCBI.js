/* Licenses: LICENSES.txt */
import{b as a}from"./part-chunk-UG2MVHC6.js";import{c as s,wa as i,xa as n}from"./part-chunk-QKQ46RKM.js";function o({id:s,updatedAt:o},t={}){return a(`/v1/candidate-sessions/${s}/open-decision ${o}`,()=>n(i.GET("/v1/candidate-sessions/{id}/open-decision",{params:{path:{id:s}}})),t)}s();export{o as a};
