/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-3E5IPGR3.js";import{v as a}from"./part-chunk-2S32E5D2.js";import{c as o}from"./part-chunk-CIM4GWOD.js";o();var t={de:"./de-NFWBPEY7.json",en:"./en-WQQX5MG2.json"},n=r(async()=>{let[r]=await Promise.all([import("./part-confirmation-MVQBUNWX.js"),a(t)]);return r.ConfirmEmail});export{n as a};
