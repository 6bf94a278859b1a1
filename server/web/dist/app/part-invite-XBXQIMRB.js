/* Licenses: LICENSES.txt */
import{a as r}from"./part-chunk-5ZRA4ARI.js";import"./part-chunk-DJ5WZAVD.js";import{a as o}from"./part-chunk-J24KQV65.js";import"./part-chunk-5APCG5HI.js";import"./part-chunk-MLGVFXYG.js";import{o as t,x as e}from"./part-chunk-SVIFJLCO.js";import"./part-chunk-NF62SCAQ.js";function i(){return t(r,{title:e("invite.title"),children:t(o,{})})}export{i as default};
