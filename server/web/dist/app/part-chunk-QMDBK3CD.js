/* Licenses: LICENSES.txt */
import{G as a,c as r,fa as n}from"./part-chunk-CE735CH4.js";r();var o={de:"./de-NFWBPEY7.json",en:"./en-WQQX5MG2.json"},s=n(async()=>{let[r]=await Promise.all([import("./part-confirmation-XW556HER.js"),a(o)]);return r.ConfirmEmail});export{s as a};
