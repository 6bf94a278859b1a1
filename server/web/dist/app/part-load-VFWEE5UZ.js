/* Licenses: LICENSES.txt */
import{G as a,c as s}from"./part-chunk-UORNO6V4.js";s();var e=()=>a({de:"./de-T2JRTYLY.json",en:"./en-L5LSZ7SM.json"});export{e as loadEmailTexts};
