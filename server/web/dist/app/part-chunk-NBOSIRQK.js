/* Licenses: LICENSES.txt */
import{G as a,c as s,fa as e}from"./part-chunk-H2H67PXO.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-5FWCALJE.js"),a(t)]);return s.EmailTexts});export{r as a};
