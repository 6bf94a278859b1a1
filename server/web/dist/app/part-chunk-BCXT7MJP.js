import{c as a,va as s,wa as r}from"./part-chunk-QPUV5P5K.js";a();var t=a=>a.headers.get("ETag")??"",e=a=>r(s.GET("/v1/questions/{id}",{params:{path:{id:a}}}));export{t as a,e as b};
