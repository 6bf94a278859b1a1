import{c as t,e,l as r,m as n}from"./part-chunk-U544QKFR.js";function a({text:t}){let a=n(null);return r(()=>{a.current.textContent=t},[t]),e("title",{ref:a})}t();export{a};
