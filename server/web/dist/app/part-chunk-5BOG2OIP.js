/* Licenses: LICENSES.txt */
import{I as a,c as s,ha as e}from"./part-chunk-B2GARUT3.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-6L6MIXYA.js"),a(t)]);return s.EmailTexts});export{r as a};
