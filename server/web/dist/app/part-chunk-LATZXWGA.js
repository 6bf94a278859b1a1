/* Licenses: LICENSES.txt */
import{G as a,c as s,fa as e}from"./part-chunk-UORNO6V4.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-F2XRSGYU.js"),a(t)]);return s.EmailTexts});export{r as a};
