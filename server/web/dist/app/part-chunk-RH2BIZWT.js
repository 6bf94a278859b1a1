/* Licenses: LICENSES.txt */
import{b as a}from"./part-chunk-JCBMER7T.js";import{c as s,va as i,wa as n}from"./part-chunk-ICBO5J5C.js";function o({id:s,updatedAt:o},t={}){return a(`/v1/candidate-sessions/${s}/open-decision ${o}`,()=>n(i.GET("/v1/candidate-sessions/{id}/open-decision",{params:{path:{id:s}}})),t)}s();export{o as a};
