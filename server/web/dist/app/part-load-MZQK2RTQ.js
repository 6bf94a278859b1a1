import{J as s,c as e}from"./part-chunk-LJML4Q3B.js";e();var o=()=>s({de:"./de-IOQXRQ4F.json",en:"./en-KDVIFRYJ.json"});export{o as loadDecisionTexts};
