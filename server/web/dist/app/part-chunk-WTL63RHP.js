/* Licenses: LICENSES.txt */
import{a}from"./part-chunk-3E5IPGR3.js";import{v as r}from"./part-chunk-2S32E5D2.js";import{c as t}from"./part-chunk-CIM4GWOD.js";t();var s={de:"./de-6TNSQQ5V.json",en:"./en-JBWAC7MS.json"},e=a(async()=>{let[a]=await Promise.all([import("./part-email_texts-Y6FO3OGU.js"),r(s)]);return a.EmailTexts});export{e as a};
