/* Licenses: LICENSES.txt */
import{c as t}from"./part-chunk-CIM4GWOD.js";function r(){return[...crypto.getRandomValues(new Uint8Array(16))].map(t=>t.toString(16).padStart(2,"0")).join("")}t();export{r as a};
