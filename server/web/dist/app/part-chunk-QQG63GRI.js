/* Licenses: LICENSES.txt */
import{F as a,c as s,da as e}from"./part-chunk-HTL6LBDR.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-A7GBVME5.js"),a(t)]);return s.EmailTexts});export{r as a};
