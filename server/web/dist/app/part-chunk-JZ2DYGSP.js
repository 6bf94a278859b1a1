/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-3E5IPGR3.js";import{v as a}from"./part-chunk-2S32E5D2.js";import{c as t}from"./part-chunk-CIM4GWOD.js";t();var s={de:"./de-5MRSBOX6.json",en:"./en-ADAKCB5O.json"},e=r(async()=>{let[r]=await Promise.all([import("./part-email_texts-WJD43B7B.js"),a(s)]);return r.EmailTexts});export{e as a};
