import{c as a,wa as s,xa as r}from"./part-chunk-U544QKFR.js";a();var t=a=>a.headers.get("ETag")??"",e=a=>r(s.GET("/v1/questions/{id}",{params:{path:{id:a}}}));export{t as a,e as b};
