/* Licenses: LICENSES.txt */
import{a as e,c as t}from"./part-chunk-2S32E5D2.js";import{c as a}from"./part-chunk-CIM4GWOD.js";function r(a){let[r]=e(()=>matchMedia(`(max-width: ${a}px)`)),[n,c]=e(r.matches);return t(()=>{let e=()=>c(r.matches);return r.addEventListener("change",e),()=>r.removeEventListener("change",e)},[r]),n}a();export{r as a};
