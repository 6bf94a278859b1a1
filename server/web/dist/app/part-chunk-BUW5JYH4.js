var a="./de-U3E7OCAQ.json",s="./en-7X2XRLFB.json";export{a,s as b};
