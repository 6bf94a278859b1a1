/* Licenses: LICENSES.txt */
import{I as a,c as s,ka as e}from"./part-chunk-RMZ4M2ZS.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-NKVE7FYL.js"),a(t)]);return s.EmailTexts});export{r as a};
