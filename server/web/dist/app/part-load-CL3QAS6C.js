import{L as a,d as s}from"./part-chunk-GJ4JLTWU.js";s();var e=()=>a({de:"./de-T2JRTYLY.json",en:"./en-L5LSZ7SM.json"});export{e as loadEmailTexts};
