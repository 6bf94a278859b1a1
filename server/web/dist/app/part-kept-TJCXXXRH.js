/* Licenses: LICENSES.txt */
import{a,b,c,d,e}from"./part-chunk-CCVOFXQK.js";import"./part-chunk-NF62SCAQ.js";export{b as forget,a as put,e as release,c as removeSaved,d as take};
