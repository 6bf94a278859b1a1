/* Licenses: LICENSES.txt */
import{E as a,c as t,e}from"./part-chunk-57LWDVNI.js";function i({icon:t,label:i,act:l,place:n,isDisabled:c}){return e("button",{type:"button",class:"icon-button","data-place":n,"aria-label":i,title:i,"aria-disabled":c,onClick:()=>!c&&l()},e(a,{name:t}))}t();export{i as a};
