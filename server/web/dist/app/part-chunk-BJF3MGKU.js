/* Licenses: LICENSES.txt */
import{B as a,p as o}from"./part-chunk-O7GYIURL.js";function r({icon:e,label:t,act:i,place:l,isDisabled:n}){return o("button",{type:"button",class:"icon-button","data-place":l,"aria-label":t,title:t,"aria-disabled":n,onClick:()=>!n&&i(),children:o(a,{name:e})})}export{r as a};
