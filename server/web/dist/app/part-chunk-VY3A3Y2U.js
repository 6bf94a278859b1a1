/* Licenses: LICENSES.txt */
import{I as a,c as s,ka as e}from"./part-chunk-MDXO3J2M.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-FT3GHV2X.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-7XH633BI.js"),a(t)]);return s.EmailTexts});export{r as a};
