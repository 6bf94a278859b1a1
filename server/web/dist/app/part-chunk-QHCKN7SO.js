/* Licenses: LICENSES.txt */
import{b as a}from"./part-chunk-WWKZ4OHV.js";import{c as s,ua as i,va as n}from"./part-chunk-MDXO3J2M.js";function o({id:s,updatedAt:o},t={}){return a(`/v1/candidate-sessions/${s}/open-decision ${o}`,()=>n(i.GET("/v1/candidate-sessions/{id}/open-decision",{params:{path:{id:s}}})),t)}s();export{o as a};
