/* Licenses: LICENSES.txt */
import{c as e,j as t,k as a}from"./part-chunk-QKQ46RKM.js";function n(e){let[n]=t(()=>matchMedia(`(max-width: ${e}px)`)),[r,s]=t(n.matches);return a(()=>{let e=()=>s(n.matches);return n.addEventListener("change",e),()=>n.removeEventListener("change",e)},[n]),r}e();export{n as a};
