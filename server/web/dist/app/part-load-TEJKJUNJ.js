/* Licenses: LICENSES.txt */
import{I as s,c as e}from"./part-chunk-ICBO5J5C.js";e();var o=()=>s({de:"./de-IOQXRQ4F.json",en:"./en-KDVIFRYJ.json"});export{o as loadDecisionTexts};
