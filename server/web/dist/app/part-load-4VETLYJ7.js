import{L as a,d as s}from"./part-chunk-6NJZNH7A.js";s();var e=()=>a({de:"./de-T2JRTYLY.json",en:"./en-L5LSZ7SM.json"});export{e as loadEmailTexts};
