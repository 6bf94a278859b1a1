/* Licenses: LICENSES.txt */
import{I as a,c as s}from"./part-chunk-ICBO5J5C.js";s();var e=()=>a({de:"./de-T2JRTYLY.json",en:"./en-L5LSZ7SM.json"});export{e as loadEmailTexts};
