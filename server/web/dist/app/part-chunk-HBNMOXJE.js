/* Licenses: LICENSES.txt */
import{c as e,x as r}from"./part-chunk-ICBO5J5C.js";e();var t={new:"New",shortlisted:"Shortlisted",rejected:"Rejected",hired:"Hired"};function a({id:e,name:a}){return t[e]===a?r(`reviewState.${e}`):a}export{a};
