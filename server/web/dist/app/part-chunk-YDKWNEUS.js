/* Licenses: LICENSES.txt */
import{I as a,c as r,ha as n}from"./part-chunk-DLEIK5DB.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-UK45ANRF.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-FP5M2VUU.js"),a(o)]);return r.ConfirmEmail});export{s as a};
