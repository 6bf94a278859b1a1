/* Licenses: LICENSES.txt */
import{F as a,c as s,da as e}from"./part-chunk-BWQNVP36.js";s();var t={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},r=e(async()=>{let[s]=await Promise.all([import("./part-email_texts-KUFST3AB.js"),a(t)]);return s.EmailTexts});export{r as a};
