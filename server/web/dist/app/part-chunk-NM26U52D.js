/* Licenses: LICENSES.txt */
import{F as a,c as s,da as e}from"./part-chunk-JVXLAHBS.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-U7Y7KSH4.js"),a(t)]);return s.EmailTexts});export{r as a};
