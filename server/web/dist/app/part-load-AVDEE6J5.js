import{J as s,c as e}from"./part-chunk-NZCJIUVI.js";e();var o=()=>s({de:"./de-IOQXRQ4F.json",en:"./en-KDVIFRYJ.json"});export{o as loadDecisionTexts};
