/* Licenses: LICENSES.txt */
import{I as a,c as s,la as e}from"./part-chunk-ICBO5J5C.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-ZYIZ2J75.js"),a(t)]);return s.EmailTexts});export{r as a};
