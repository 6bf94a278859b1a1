/* Licenses: LICENSES.txt */
import{c as e,x as r}from"./part-chunk-JNK322EZ.js";e();var t={new:"New",shortlisted:"Shortlisted",rejected:"Rejected",hired:"Hired"};function a({id:e,name:a}){return t[e]===a?r(`reviewState.${e}`):a}export{a};
