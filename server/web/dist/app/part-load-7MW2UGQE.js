import{L as s,d as e}from"./part-chunk-P2SAMZW3.js";e();var o=()=>s({de:"./de-IOQXRQ4F.json",en:"./en-KDVIFRYJ.json"});export{o as loadDecisionTexts};
