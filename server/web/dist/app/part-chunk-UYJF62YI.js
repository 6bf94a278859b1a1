/* Licenses: LICENSES.txt */
import{p as e}from"./part-chunk-2S32E5D2.js";import{c as r}from"./part-chunk-CIM4GWOD.js";r();var t={new:"New",shortlisted:"Shortlisted",rejected:"Rejected",hired:"Hired"};function a({id:r,name:a}){return t[r]===a?e(`reviewState.${r}`):a}export{a};
