/* Licenses: LICENSES.txt */
import{a as e}from"./part-chunk-TTRQDZW2.js";import"./part-chunk-LLLPHDZQ.js";import{a as r}from"./part-chunk-ILNDWRE2.js";import"./part-chunk-NNJZ4NUK.js";import"./part-chunk-N7CPL7H6.js";import"./part-chunk-UEBU527K.js";import{p as t,z as o}from"./part-chunk-DMMOWFCR.js";function f(){return t(r,{title:o("profile.title"),children:t(e,{})})}export{f as default};
