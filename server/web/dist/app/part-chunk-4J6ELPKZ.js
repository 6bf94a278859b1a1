/* Licenses: LICENSES.txt */
import{J as a,c as r,ma as n}from"./part-chunk-QKQ46RKM.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-UK45ANRF.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-UHZQECMT.js"),a(o)]);return r.ConfirmEmail});export{s as a};
