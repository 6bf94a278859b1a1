import{c as a,va as s,wa as r}from"./part-chunk-7AOVJLQM.js";a();var t=a=>a.headers.get("ETag")??"",e=a=>r(s.GET("/v1/questions/{id}",{params:{path:{id:a}}}));export{t as a,e as b};
