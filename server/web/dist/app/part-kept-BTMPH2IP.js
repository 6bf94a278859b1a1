/* Licenses: LICENSES.txt */
import{a,b,c,d,e}from"./part-chunk-6P6JETYA.js";import"./part-chunk-CIM4GWOD.js";export{b as forget,a as put,e as release,c as removeSaved,d as take};
