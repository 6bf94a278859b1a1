/* Licenses: LICENSES.txt */
import{I as a,c as s,ha as e}from"./part-chunk-N2QP2QLA.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-XQSJGQRX.js"),a(t)]);return s.EmailTexts});export{r as a};
