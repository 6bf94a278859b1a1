/* Licenses: LICENSES.txt */
import{F as s,c as a}from"./part-chunk-QKQ46RKM.js";a();var r=Object.keys({ar:"العربية",de:"Deutsch",en:"English",es:"Español",fr:"Français",ja:"日本語",pl:"Polski","pt-BR":"Português (Brasil)","zh-Hans":"简体中文"});function t(a){let t=s(a);return r.find(a=>s(a)===t)}export{r as a,t as b};
