/* Licenses: LICENSES.txt */
var a="./de-27HMBSUI.json",s="./en-LPUSYYPP.json";export{a,s as b};
