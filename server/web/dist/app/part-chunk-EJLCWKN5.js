/* Licenses: LICENSES.txt */
import{I as a,c as r,ha as n}from"./part-chunk-B2GARUT3.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-Q4ZV3FMA.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-H6BTEEJ3.js"),a(o)]);return r.ConfirmEmail});export{s as a};
