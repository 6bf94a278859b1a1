/* Licenses: LICENSES.txt */
import{F as a,c as s}from"./part-chunk-HTL6LBDR.js";s();var e=()=>a({de:"./de-T2JRTYLY.json",en:"./en-L5LSZ7SM.json"});export{e as loadEmailTexts};
