import{c as a,ua as s,va as r}from"./part-chunk-BDZCC3MC.js";a();var t=a=>a.headers.get("ETag")??"",e=a=>r(s.GET("/v1/questions/{id}",{params:{path:{id:a}}}));export{t as a,e as b};
