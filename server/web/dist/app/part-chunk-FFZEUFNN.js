/* Licenses: LICENSES.txt */
import{I as a,c as r,la as n}from"./part-chunk-M3HWJ2FO.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-UK45ANRF.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-AVNG6RS5.js"),a(o)]);return r.ConfirmEmail});export{s as a};
