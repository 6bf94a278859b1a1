/* Licenses: LICENSES.txt */
import{F as a,c as s,da as e}from"./part-chunk-PWLR63VN.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-RHMJJIDT.js"),a(t)]);return s.EmailTexts});export{r as a};
