/* Licenses: LICENSES.txt */
import{t as e}from"./part-chunk-2OEQYUYR.js";import{c as a,f as o}from"./part-chunk-CIM4GWOD.js";a();function b({icon:i,label:t,act:c,place:l,isDisabled:n}){return o("button",{type:"button",class:"icon-button","data-place":l,"aria-label":t,title:t,"aria-disabled":n,onClick:()=>!n&&c()},o(e,{name:i}))}export{b as a};
