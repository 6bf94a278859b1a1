/* Licenses: LICENSES.txt */
import{I as a,c as r,ha as n}from"./part-chunk-TUEDBWH3.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-UK45ANRF.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-6KL3LGU4.js"),a(o)]);return r.ConfirmEmail});export{s as a};
