var a="./de-ROAYOC7Y.json",s="./en-QZJXCQ3V.json";export{a,s as b};
