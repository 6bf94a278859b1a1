import{Ca as a,Da as s,d as r}from"./part-chunk-GJ4JLTWU.js";r();var t=a=>a.headers.get("ETag")??"",e=r=>s(a.GET("/v1/questions/{id}",{params:{path:{id:r}}}));export{t as a,e as b};
