import type { RelayChannel } from '../../../src/relay/ports.ts'
import { ask, channel, gateway, upstream } from './scene.ts'
import { json } from './upstream.ts'

/** A client of Midjourney Proxy, for tests. */

export const drawingChannel = (more: Partial<RelayChannel> = {}): RelayChannel => channel({ type: 2, ...more })

export const taken = { code: 1, description: '提交成功', result: '1730621826053455', properties: {} }

export const submit = async (path: string, body: unknown, answer: Parameters<typeof json> = [taken]) => {
  upstream.answer = json(...answer)
  const response = await ask(JSON.stringify(body), path)
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') as Record<string, unknown> }
}

export const get = (path: string): Promise<Response> =>
  fetch(gateway.url + path, { headers: { authorization: 'Bearer midjourney-proxy', 'mj-api-secret': 'sk-good' } })

export const refusal = (description: string, code = 4, result = '') => ({
  code,
  description: `${description} ${result}`,
  type: 'upstream_error',
})

export const uuid = '3dbbd469-36af-4a0f-8f02-df6c579e7011'
