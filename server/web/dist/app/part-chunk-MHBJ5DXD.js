/* Licenses: LICENSES.txt */
import{a as u,c as _,d as q,g as x}from"./part-chunk-I7WGG4TU.js";import{a as H}from"./part-chunk-BAL5HOXN.js";import{a as y,c as M,e as w}from"./part-chunk-ZIWLJTML.js";import{b as V,c as v,e as b}from"./part-chunk-UMVATH6C.js";import{f as E,g as C,l as T}from"./part-chunk-C4AMHCK4.js";import{h as k}from"./part-chunk-FU6SGNSO.js";import{B as S,d as f,i as m,p as e,y as s}from"./part-chunk-O7GYIURL.js";function L({hours:t}){let o=t.slice(-24),r=o.flatMap(({p95Ms:a})=>a===null?[]:[a]);return{hours:o,succeeded:o.reduce((a,n)=>a+n.succeeded,0),failed:o.reduce((a,n)=>a+n.failed,0),p95Ms:r.length>0?Math.max(...r):null}}function O({succeeded:t,failed:o}){return t+o===0?"–":M(Math.floor(100*t/(t+o)),100)}function P({startsAt:t,succeeded:o,failed:r}){return s("webhooks.chart.hour",{time:w(t),succeeded:o,failed:r})}function A({hours:t,label:o,isSmall:r}){let a=Math.max(1,...t.map(({succeeded:n,failed:c})=>n+c));return e("svg",{class:r?"webhooks-bars small":"webhooks-bars",viewBox:"0 0 240 100",preserveAspectRatio:"none",role:"img","aria-label":o,children:t.map((n,c)=>{let i=p=>p===0?0:Math.max(4,96*p/a),[h,l]=[i(n.succeeded),i(n.failed)];return e("g",{children:[h+l===0&&e("rect",{class:"none",x:c*10+1,y:98,width:8,height:2}),e("rect",{class:"good",x:c*10+1,y:100-h,width:8,height:h}),e("rect",{class:"bad",x:c*10+1,y:100-h-l,width:8,height:l}),e("rect",{class:"hit",x:c*10,y:0,width:10,height:100,children:e("title",{children:P(n)})})]},n.startsAt)})})}function Q({summary:t}){let{hours:o,succeeded:r,failed:a,p95Ms:n}=t,c=o.filter(i=>i.succeeded+i.failed>0);return e("section",{class:"card",children:[e("h2",{children:s("webhooks.chart.title")}),r+a===0?e("p",{class:"muted",children:s("webhooks.chart.none")}):e("p",{class:"muted",children:[s("webhooks.chart.text",{share:O(t),succeeded:r,count:r+a})," ",n!==null&&s("webhooks.chart.p95",{duration:x(n)})]}),e(A,{hours:o,label:s("webhooks.chart.label",{succeeded:r,failed:a})}),e("p",{class:"axis small muted","aria-hidden":"true",children:[e("span",{children:s("webhooks.chart.start")}),e("span",{class:"webhooks-legend",children:[e("i",{class:"good"}),s("webhooks.chart.succeeded"),e("i",{class:"bad"}),s("webhooks.chart.failed")]}),e("span",{children:s("webhooks.chart.end")})]}),c.length>0&&e(H,{caption:s("webhooks.chart.title"),columns:[s("webhooks.chart.column"),s("webhooks.chart.succeeded"),s("webhooks.chart.failed"),s("webhooks.chart.duration")],rows:c.map(i=>[w(i.startsAt),y(i.succeeded),y(i.failed),i.p95Ms===null?"–":x(i.p95Ms)])})]})}function se(t){let[o,r]=m({url:t?.url??"",events:t?t.events.flatMap(a=>_(u,a)??[]):["candidate.completed","candidate.disqualified"],description:t?.description??""});return{values:o,change:a=>r({...o,...a})}}function oe({url:t,events:o,description:r}){return{url:t.trim(),events:o,description:r.trim()||null}}function re({url:t,events:o}){return{.../^https?:\/\/\S+\.?\S+$/.test(t.trim())?{}:{"/url":s("webhooks.form.url.form")},...o.length>0?{}:{"/events":s("webhooks.form.events.none")}}}function ae({values:t,change:o}){let{url:r,events:a,description:n}=t,c=T("/v1/event-types",()=>C(E.GET("/v1/event-types"))),i=a.length===u.length,h=(l,p)=>o({events:u.filter(d=>d===l?p:a.includes(d))});return e(f,{children:[e(v,{label:s("webhooks.form.url"),hint:s("webhooks.form.url.hint"),pointer:"/url",type:"url",placeholder:"https://example.com/webhooks/assay",value:r,change:l=>o({url:l})}),e(V,{label:s("webhooks.form.events"),pointer:"/events",children:({id:l,"aria-describedby":p})=>e("div",{id:l,class:"webhooks-events",role:"group","aria-label":s("webhooks.form.events"),"aria-describedby":p,children:[e(b,{label:e("b",{children:s("webhooks.form.events.all")}),isChecked:i,change:d=>o({events:d?[...u]:[]})}),u.map(d=>e(b,{label:q(d),hint:B(d,c.data),isChecked:a.includes(d),change:F=>h(d,F)},d))]})}),e(v,{label:s("webhooks.form.description"),pointer:"/description",isOptional:!0,maxLength:500,value:n,change:l=>o({description:l})})]})}function B(t,o){let r=o?.find(a=>a.type===t)?.description;return e("span",{title:r,children:[s(`webhooks.event.${t}.hint`)," ",e("code",{children:t})]})}var G=`import { createHmac, timingSafeEqual } from 'node:crypto'

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
}`,I=`import base64, hmac, time

# body is the raw request body as bytes, before anything parses it.
def is_genuine(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    is_recent = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return is_recent and any(
        hmac.compare_digest(expected, given)
        for given in headers["webhook-signature"].split(" "))`,$=`// body is the raw request body, before anything decodes it.
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
}`,N=`# The body of a request is in the file body.json. Compare the output with X-Service-Signature.
printf 'sha256=%s\\n' "$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r body.json | cut -d ' ' -f 1)"`,g={"Node.js":G,Python:I,Go:$,Shell:N};function be({secret:t,children:o,done:r}){let[a,n]=m(!1);return e(f,{children:[e("div",{class:"note warn",children:[e(S,{name:"key"}),e("p",{children:s("webhooks.secret.once")})]}),e("div",{class:"webhooks-secret",children:[e("code",{"data-secret":!0,children:t}),e(k,{value:t})]}),o,e(R,{}),e(b,{label:s("webhooks.secret.stored"),isChecked:a,change:n}),e("div",{class:"go",children:e("button",{type:"button",class:"button primary","aria-disabled":!a,onClick:()=>a&&r(),children:s("webhooks.secret.done")})})]})}function R(){let[t,o]=m("Node.js");return e("details",{class:"webhooks-samples",children:[e("summary",{children:s("webhooks.samples.title")}),e("p",{class:"small muted",children:s("webhooks.samples.text")}),e("div",{class:"webhooks-languages",role:"group","aria-label":s("webhooks.samples.label"),children:[Object.keys(g).map(r=>e("button",{type:"button",class:"button small","aria-pressed":r===t,onClick:()=>o(r),children:r},r)),e("span",{class:"grow"}),e(k,{value:g[t]})]}),e("pre",{tabIndex:0,"aria-label":t,children:e("code",{children:g[t]})})]})}export{se as a,oe as b,re as c,ae as d,be as e,L as f,O as g,A as h,Q as i};
