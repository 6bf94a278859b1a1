/* Licenses: LICENSES.txt */
import{b as a}from"./part-chunk-J7ANGJDP.js";import{c as s,va as i,wa as n}from"./part-chunk-JNK322EZ.js";function o({id:s,updatedAt:o},t={}){return a(`/v1/candidate-sessions/${s}/open-decision ${o}`,()=>n(i.GET("/v1/candidate-sessions/{id}/open-decision",{params:{path:{id:s}}})),t)}s();export{o as a};
