import type { IncomingHttpHeaders } from 'node:http'

/** Headers of a request that say something about the call: betas, tags, end user, session, program and language. */
const passed = /^(x-|openai-|anthropic-|accept-language$|user-agent$|session|originator$|http-referer$|referer$)/
/** Of those, the ones that hold a key or tell of the way the request came. */
const withheld = /^x-(api-key|goog-api-key|forwarded|real-ip|client-ip)/

export const passedOn = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && passed.test(name) && !withheld.test(name) ? [[name, value]] : [],
    ),
  )
