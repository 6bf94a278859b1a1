/* Licenses: LICENSES.txt */
import{a as o}from"./part-chunk-LPZYY63I.js";import"./part-chunk-5TAHQWPI.js";import"./part-chunk-N7CPL7H6.js";import"./part-chunk-VDTFSDKZ.js";import{p as t,z as e}from"./part-chunk-DMMOWFCR.js";function r(){return t(o,{title:e("import.title"),children:null})}export{r as default};
