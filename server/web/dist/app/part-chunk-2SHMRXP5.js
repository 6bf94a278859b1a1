import{c as a,va as s,wa as r}from"./part-chunk-QU4KAYJE.js";a();var t=a=>a.headers.get("ETag")??"",e=a=>r(s.GET("/v1/questions/{id}",{params:{path:{id:a}}}));export{t as a,e as b};
