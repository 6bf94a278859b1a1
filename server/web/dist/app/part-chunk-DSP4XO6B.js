/* Licenses: LICENSES.txt */
import{p as i}from"./part-chunk-2OEQYUYR.js";import{c as r}from"./part-chunk-CIM4GWOD.js";r();var s={new:"New",shortlisted:"Shortlisted",rejected:"Rejected",hired:"Hired"};function c({id:e,name:t}){return s[e]===t?i(`reviewState.${e}`):t}export{c as a};
