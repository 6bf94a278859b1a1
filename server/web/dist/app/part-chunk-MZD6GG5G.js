/* Licenses: LICENSES.txt */
import{c as t}from"./part-chunk-CIM4GWOD.js";t();function a(){return[...crypto.getRandomValues(new Uint8Array(16))].map(n=>n.toString(16).padStart(2,"0")).join("")}export{a};
