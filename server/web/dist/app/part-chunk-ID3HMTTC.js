/* Licenses: LICENSES.txt */
import{I as a,c as r,la as n}from"./part-chunk-ICBO5J5C.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-UK45ANRF.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-HBKO3Y4H.js"),a(o)]);return r.ConfirmEmail});export{s as a};
