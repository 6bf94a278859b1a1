/* Licenses: LICENSES.txt */
import{I as a,c as s,la as e}from"./part-chunk-JNK322EZ.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-UTSYSNA3.js"),a(t)]);return s.EmailTexts});export{r as a};
