import{d as t,f as e,m as n,n as r}from"./part-chunk-GJ4JLTWU.js";function a({text:t}){let a=r(null);return n(()=>{a.current.textContent=t},[t]),e("title",{ref:a})}t();export{a};
