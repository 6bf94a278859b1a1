/* Licenses: LICENSES.txt */
import{I as a,c as r,ka as n}from"./part-chunk-MDXO3J2M.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-UK45ANRF.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-76CQ6A7A.js"),a(o)]);return r.ConfirmEmail});export{s as a};
