import { connect } from 'node:net'
import { gatewayCostIn, type Stated } from '../../../server/test/support/answer-costs/stated.ts'
import type { Call } from './call-kinds.ts'
import { sendOverSocket } from './socket-client.ts'

/**
 * Answer as a client received it: whole, a whole refusal, or one that broke off (also by an error within a stream, or because the
 * client left).
 */
export interface Outcome {
  readonly kind: 'complete' | 'refused' | 'broken'
  readonly status: number
  /** Empty when no head came, and over sockets, which name none. */
  readonly requestId: string
  readonly text: string
  /** The cost that the answer states, as far as it came. */
  readonly stated?: Stated
}

/** How streams end in other dialects than chat completions. */
const endMarks = ['event: message_stop', '"type":"response.completed"', '"finishReason":"STOP"'] as const

const isWholeStream = (text: string): boolean =>
  (text.endsWith('data: [DONE]\n\n') || endMarks.some((mark) => text.includes(mark))) &&
  !text.includes('data: {"error"') &&
  !text.includes('event: error')

const isWholeJson = (text: string): boolean => {
  try {
    return !('error' in (JSON.parse(text) as object))
  } catch {
    return false
  }
}

const mostTextKept = 2000

const sendWhole = async (url: string, key: string, { path, body, leaveAfterMs, asksCost }: Call): Promise<Outcome> => {
  let status = 0
  let requestId = ''
  let text = ''
  let headers: Headers | undefined
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        ...(asksCost === true ? { 'x-tollgate-include-cost': 'true' } : {}),
      },
      body,
      ...(leaveAfterMs === undefined ? {} : { signal: AbortSignal.timeout(Math.ceil(leaveAfterMs)) }),
    })
    status = response.status
    headers = response.headers
    requestId = response.headers.get('x-oneapi-request-id') ?? ''
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    for await (const part of response.body ?? []) text += Buffer.from(part).toString('latin1')
    const kept = text.slice(0, mostTextKept)
    const stated = gatewayCostIn(text, headers)
    if (status >= 400) return { kind: 'refused', status, requestId, text: kept, stated }
    const whole = isStream ? isWholeStream(text) : isWholeJson(text)
    return { kind: whole ? 'complete' : 'broken', status, requestId, text: kept, stated }
  } catch (error) {
    return { kind: 'broken', status, requestId, text: String(error), stated: gatewayCostIn(text, headers) }
  }
}

/** Sends a head that promises more than comes, and leaves. */
const sendHalf = (url: string, key: string, { path, body, leaveAfterMs = 0 }: Call): Promise<Outcome> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    const leave = setTimeout(() => socket.destroy(), leaveAfterMs)
    socket.on('connect', () => socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, body.length / 2)}`))
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(leave)
      resolve({ kind: 'broken', status: 0, requestId: '', text: 'half sent' })
    })
  })

/** Sends the call of this id and waits for its end; never rejects. */
export const send = (url: string, key: string, call: Call, id: string): Promise<Outcome> => {
  if (call.socket === true) return sendOverSocket(url, key, call, id)
  return call.half === true ? sendHalf(url, key, call) : sendWhole(url, key, call)
}
