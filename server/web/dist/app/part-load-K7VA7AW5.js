import{J as s,c as e}from"./part-chunk-U544QKFR.js";e();var o=()=>s({de:"./de-IOQXRQ4F.json",en:"./en-KDVIFRYJ.json"});export{o as loadDecisionTexts};
