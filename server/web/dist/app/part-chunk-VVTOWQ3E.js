/* Licenses: LICENSES.txt */
import{I as a,c as r,ka as n}from"./part-chunk-RMZ4M2ZS.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-UK45ANRF.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-BGFGP7LH.js"),a(o)]);return r.ConfirmEmail});export{s as a};
