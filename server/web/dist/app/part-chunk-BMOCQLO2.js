/* Licenses: LICENSES.txt */
import{c as e,y as r}from"./part-chunk-QKQ46RKM.js";e();var t={new:"New",shortlisted:"Shortlisted",rejected:"Rejected",hired:"Hired"};function a({id:e,name:a}){return t[e]===a?r(`reviewState.${e}`):a}export{a};
