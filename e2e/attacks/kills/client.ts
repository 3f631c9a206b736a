import { connect } from 'node:net'
import type { Call } from './call-kinds.ts'
import { sendOverSocket } from './socket-client.ts'

/**
 * What a client received: a whole answer, a whole refusal, or something that broke off (also an error within a stream, and
 * what it left itself).
 */
export interface Outcome {
  readonly kind: 'complete' | 'refused' | 'broken'
  readonly status: number
  /** Empty when no head came, and over sockets, which name none. */
  readonly requestId: string
  readonly text: string
}

const isWholeStream = (text: string): boolean =>
  (text.endsWith('data: [DONE]\n\n') || text.includes('event: message_stop')) &&
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

const sendWhole = async (url: string, key: string, { path, body, leaveAfterMs }: Call): Promise<Outcome> => {
  let status = 0
  let requestId = ''
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body,
      ...(leaveAfterMs === undefined ? {} : { signal: AbortSignal.timeout(Math.ceil(leaveAfterMs)) }),
    })
    status = response.status
    requestId = response.headers.get('x-oneapi-request-id') ?? ''
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const text = await response.text()
    const kept = text.slice(0, mostTextKept)
    if (status >= 400) return { kind: 'refused', status, requestId, text: kept }
    const whole = isStream ? isWholeStream(text) : isWholeJson(text)
    return { kind: whole ? 'complete' : 'broken', status, requestId, text: kept }
  } catch (error) {
    return { kind: 'broken', status, requestId, text: String(error) }
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
