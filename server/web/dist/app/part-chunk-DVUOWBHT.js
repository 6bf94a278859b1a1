/* Licenses: LICENSES.txt */
import{a as h,c as O,d as P,g as S}from"./part-chunk-EA3VDUKC.js";import{a as _,b as q}from"./part-chunk-5X6QPZLI.js";import{a as v}from"./part-chunk-FLHNQLBY.js";import{a as w,f as V}from"./part-chunk-7EMKHK5F.js";import{c as H,d as x,f as g}from"./part-chunk-3OWV4AYN.js";import{f as C,g as T,l as M}from"./part-chunk-3TNQAGNP.js";import{h as y}from"./part-chunk-7LIARTNG.js";import{a as f,p as s,t as E}from"./part-chunk-2OEQYUYR.js";import{c as p,f as e,h as b}from"./part-chunk-CIM4GWOD.js";p();function z({hours:t}){let o=t.slice(-24),r=o.flatMap(({p95Ms:a})=>a===null?[]:[a]);return{hours:o,succeeded:o.reduce((a,n)=>a+n.succeeded,0),failed:o.reduce((a,n)=>a+n.failed,0),p95Ms:r.length>0?Math.max(...r):null}}function B({succeeded:t,failed:o}){return t+o===0?"–":V(Math.floor(100*t/(t+o)),100)}function G({startsAt:t,succeeded:o,failed:r}){return s("webhooks.chart.hour",{time:v(t),succeeded:o,failed:r})}function I({hours:t,label:o,isSmall:r}){let a=Math.max(1,...t.map(({succeeded:n,failed:c})=>n+c));return e("svg",{class:r?"webhooks-bars small":"webhooks-bars",viewBox:"0 0 240 100",preserveAspectRatio:"none",role:"img","aria-label":o},t.map((n,c)=>{let i=m=>m===0?0:Math.max(4,96*m/a),[u,l]=[i(n.succeeded),i(n.failed)];return e("g",{key:n.startsAt},u+l===0&&e("rect",{class:"none",x:c*10+1,y:98,width:8,height:2}),e("rect",{class:"good",x:c*10+1,y:100-u,width:8,height:u}),e("rect",{class:"bad",x:c*10+1,y:100-u-l,width:8,height:l}),e("rect",{class:"hit",x:c*10,y:0,width:10,height:100},e(q,{text:G(n)})))}))}function J({summary:t}){let{hours:o,succeeded:r,failed:a,p95Ms:n}=t,c=o.filter(i=>i.succeeded+i.failed>0);return e("section",{class:"card"},e("h2",null,s("webhooks.chart.title")),r+a===0?e("p",{class:"muted"},s("webhooks.chart.none")):e("p",{class:"muted"},s("webhooks.chart.text",{share:B(t),succeeded:r,count:r+a})," ",n!==null&&s("webhooks.chart.p95",{duration:S(n)})),e(I,{hours:o,label:s("webhooks.chart.label",{succeeded:r,failed:a})}),e("p",{class:"axis small muted","aria-hidden":"true"},e("span",null,s("webhooks.chart.start")),e("span",{class:"webhooks-legend"},e("i",{class:"good"}),s("webhooks.chart.succeeded"),e("i",{class:"bad"}),s("webhooks.chart.failed")),e("span",null,s("webhooks.chart.end"))),c.length>0&&e(_,{caption:s("webhooks.chart.title"),columns:[s("webhooks.chart.column"),s("webhooks.chart.succeeded"),s("webhooks.chart.failed"),s("webhooks.chart.duration")],rows:c.map(i=>[v(i.startsAt),w(i.succeeded),w(i.failed),i.p95Ms===null?"–":S(i.p95Ms)])}))}p();function ne(t){let[o,r]=f({url:t?.url??"",events:t?t.events.flatMap(a=>O(h,a)??[]):["candidate.completed","candidate.disqualified"],description:t?.description??""});return{values:o,change:a=>r({...o,...a})}}function ie({url:t,events:o,description:r}){return{url:t.trim(),events:o,description:r.trim()||null}}function ce({url:t,events:o}){return{.../^https?:\/\/\S+\.?\S+$/.test(t.trim())?{}:{"/url":s("webhooks.form.url.form")},...o.length>0?{}:{"/events":s("webhooks.form.events.none")}}}function le({values:t,change:o}){let{url:r,events:a,description:n}=t,c=M("/v1/event-types",()=>T(C.GET("/v1/event-types"))),i=a.length===h.length,u=(l,m)=>o({events:h.filter(d=>d===l?m:a.includes(d))});return e(b,null,e(x,{label:s("webhooks.form.url"),hint:s("webhooks.form.url.hint"),pointer:"/url",type:"url",placeholder:"https://example.com/webhooks/assay",value:r,change:l=>o({url:l})}),e(H,{label:s("webhooks.form.events"),pointer:"/events"},({id:l,"aria-describedby":m})=>e("div",{id:l,class:"webhooks-events",role:"group","aria-label":s("webhooks.form.events"),"aria-describedby":m},e(g,{label:e("b",null,s("webhooks.form.events.all")),isChecked:i,change:d=>o({events:d?[...h]:[]})}),h.map(d=>e(g,{key:d,label:P(d),hint:$(d,c.data),isChecked:a.includes(d),change:A=>u(d,A)})))),e(x,{label:s("webhooks.form.description"),pointer:"/description",isOptional:!0,maxLength:500,value:n,change:l=>o({description:l})}))}function $(t,o){let r=o?.find(a=>a.type===t)?.description;return e("span",{title:r},s(`webhooks.event.${t}.hint`)," ",e("code",null,t))}p();p();var F=`import { createHmac, timingSafeEqual } from 'node:crypto'

// body is the raw request body, before anything parses it.
export function isGenuine(secret, headers, body) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = \`\${headers['webhook-id']}.\${headers['webhook-timestamp']}.\${body}\`
  const expected = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'))
  const isRecent = Math.abs(Date.now() / 1000 - headers['webhook-timestamp']) < 300
  return isRecent && headers['webhook-signature'].split(' ').some((given) => {
    const signature = Buffer.from(given)
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  })
}`,N=`import base64, hmac, time

# body is the raw request body as bytes, before anything parses it.
def is_genuine(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    is_recent = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return is_recent and any(
        hmac.compare_digest(expected, given)
        for given in headers["webhook-signature"].split(" "))`,j=`// body is the raw request body, before anything decodes it.
func isGenuine(secret string, header http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	sent, bad := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || bad != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), sent, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}`,R=`# The body of a request is in the file body.json. Compare the output with X-Service-Signature.
printf 'sha256=%s\\n' "$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r body.json | cut -d ' ' -f 1)"`,k={"Node.js":F,Python:N,Go:j,Shell:R};function we({secret:t,children:o,done:r}){let[a,n]=f(!1);return e(b,null,e("div",{class:"note warn"},e(E,{name:"key"}),e("p",null,s("webhooks.secret.once"))),e("div",{class:"webhooks-secret"},e("code",{"data-secret":!0},t),e(y,{value:t})),o,e(D,null),e(g,{label:s("webhooks.secret.stored"),isChecked:a,change:n}),e("div",{class:"go"},e("button",{type:"button",class:"button primary","aria-disabled":!a,onClick:()=>a&&r()},s("webhooks.secret.done"))))}function D(){let[t,o]=f("Node.js");return e("details",{class:"webhooks-samples"},e("summary",null,s("webhooks.samples.title")),e("p",{class:"small muted"},s("webhooks.samples.text")),e("div",{class:"webhooks-languages",role:"group","aria-label":s("webhooks.samples.label")},Object.keys(k).map(r=>e("button",{key:r,type:"button",class:"button small","aria-pressed":r===t,onClick:()=>o(r)},r)),e("span",{class:"grow"}),e(y,{value:k[t]})),e("pre",{tabIndex:0,"aria-label":t},e("code",null,k[t])))}export{ne as a,ie as b,ce as c,le as d,we as e,z as f,B as g,I as h,J as i};
