/* Licenses: LICENSES.txt */
import{I as s,c as e}from"./part-chunk-RMZ4M2ZS.js";e();var o=()=>s({de:"./de-UWWQRYT7.json",en:"./en-TAFSR4SB.json"});export{o as loadDecisionTexts};
