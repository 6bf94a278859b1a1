/* Licenses: LICENSES.txt */
import{a,b as e,c as r,d as s,e as t}from"./part-chunk-6P6JETYA.js";import"./part-chunk-CIM4GWOD.js";export{e as forget,a as put,t as release,r as removeSaved,s as take};
