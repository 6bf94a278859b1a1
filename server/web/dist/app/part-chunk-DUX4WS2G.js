/* Licenses: LICENSES.txt */
import{J as a,c as s,ma as e}from"./part-chunk-QKQ46RKM.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-32652TSW.js"),a(t)]);return s.EmailTexts});export{r as a};
