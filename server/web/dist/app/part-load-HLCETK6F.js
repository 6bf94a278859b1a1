import{J as a,c as s}from"./part-chunk-U544QKFR.js";s();var e=()=>a({de:"./de-T2JRTYLY.json",en:"./en-L5LSZ7SM.json"});export{e as loadEmailTexts};
