/* Licenses: LICENSES.txt */
import{I as a,c as s,la as e}from"./part-chunk-3ZZMAJ2A.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-KYRIU4LY.js"),a(t)]);return s.EmailTexts});export{r as a};
