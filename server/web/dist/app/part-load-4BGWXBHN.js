import{L as s,d as e}from"./part-chunk-GJ4JLTWU.js";e();var o=()=>s({de:"./de-IOQXRQ4F.json",en:"./en-KDVIFRYJ.json"});export{o as loadDecisionTexts};
