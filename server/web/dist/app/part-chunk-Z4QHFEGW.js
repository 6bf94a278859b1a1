/* Licenses: LICENSES.txt */
import{G as a,c as r,fa as n}from"./part-chunk-UORNO6V4.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-Q4ZV3FMA.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-4ONJK4QA.js"),a(o)]);return r.ConfirmEmail});export{s as a};
