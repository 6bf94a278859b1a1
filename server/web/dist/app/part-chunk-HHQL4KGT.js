import{d as a,ja as e}from"./part-chunk-GJ4JLTWU.js";function r(a,r){let t=new URL(a,e);return t.searchParams.set("return",r.slice(e.pathname.length-1)),t.href}a();export{r as a};
