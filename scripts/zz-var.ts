import { commonTrace, figuresOf, openTracedSite } from './structure/traced-call.ts'
const s = await openTracedSite('/tmp/wt/idle')
const ts = await s.trace(6)
for (const t of ts) console.log(JSON.stringify(figuresOf(t)), t.length)
console.log(JSON.stringify(figuresOf(commonTrace(ts))))
await s.close()
