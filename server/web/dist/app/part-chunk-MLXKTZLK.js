/* Licenses: LICENSES.txt */
var n="./de-27HMBSUI.json";var r="./en-LPUSYYPP.json";export{n as a,r as b};
