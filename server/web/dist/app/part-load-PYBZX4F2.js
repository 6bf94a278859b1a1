/* Licenses: LICENSES.txt */
import{I as a,c as s}from"./part-chunk-L7JKIY3R.js";s();var e=()=>a({de:"./de-T2JRTYLY.json",en:"./en-L5LSZ7SM.json"});export{e as loadEmailTexts};
