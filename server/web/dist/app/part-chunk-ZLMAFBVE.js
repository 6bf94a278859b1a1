/* Licenses: LICENSES.txt */
import{I as a,c as s,ha as e}from"./part-chunk-TUEDBWH3.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-STD5UQKZ.js"),a(t)]);return s.EmailTexts});export{r as a};
