/* Licenses: LICENSES.txt */
import{c as t,e,g as s,i as r}from"./part-chunk-QKQ46RKM.js";function n(t){return class extends s{shouldComponentUpdate(t){return Object.keys(t).some(e=>t[e]!==this.props[e])}render(s){return e(t,s)}}}function o({text:t,html:e}){return!/[\n*_`#<>&[\]\\~|]/.test(t.trim())&&/^<p[^>]*>[^<]*<\/p>\s*$/.test(e)}t(),r(),t();export{n as a,o as b};
