/* Licenses: LICENSES.txt */
import{t as a}from"./part-chunk-2S32E5D2.js";import{c as t,f as i}from"./part-chunk-CIM4GWOD.js";function n({icon:t,label:n,act:o,place:c,isDisabled:e}){return i("button",{type:"button",class:"icon-button","data-place":c,"aria-label":n,title:n,"aria-disabled":e,onClick:()=>!e&&o()},i(a,{name:t}))}t();export{n as a};
