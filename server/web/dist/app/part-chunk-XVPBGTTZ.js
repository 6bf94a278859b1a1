/* Licenses: LICENSES.txt */
import{G as a,c as r,fa as n}from"./part-chunk-H2H67PXO.js";r();var o={de:"./de-MEH7N7KH.json",en:"./en-Q4ZV3FMA.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-BDW7QFGD.js"),a(o)]);return r.ConfirmEmail});export{s as a};
