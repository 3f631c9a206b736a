import { WebSocket } from 'ws'
import { gatewayCostIn } from '../../../server/test/support/answer-costs/stated.ts'
import type { Call } from './call-kinds.ts'
import type { Outcome } from './client.ts'

const mostTextKept = 2000

interface Event {
  readonly type?: string
  readonly status?: number
}

/**
 * Sends a call over a WebSocket of its own and waits for its end; never rejects. No message names the request: the log finds it by a tag,
 * `call=<id>`.
 */
export const sendOverSocket = (url: string, key: string, { path, body, leaveAfterMs, asksCost }: Call, id: string) =>
  new Promise<Outcome>((resolve) => {
    const asking = asksCost === true ? { 'x-tollgate-include-cost': 'true' } : {}
    const headers = { authorization: `Bearer ${key}`, 'x-tollgate-tags': `call=${id}`, ...asking }
    const socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
    let text = ''
    let isAnswering = false
    const leave = leaveAfterMs === undefined ? undefined : setTimeout(() => socket.terminate(), leaveAfterMs)
    const over = (kind: Outcome['kind'], status: number): void => {
      clearTimeout(leave)
      resolve({ kind, status, requestId: '', text: text.slice(0, mostTextKept), stated: gatewayCostIn(text) })
      socket.terminate()
    }
    socket.on('open', () => socket.send(body))
    socket.on('unexpected-response', (_, { statusCode = 0 }) => over('refused', statusCode))
    socket.on('message', (data) => {
      const message = data.toString()
      text += message
      const { type, status = 0 } = JSON.parse(message) as Event
      if (type === 'response.completed') over('complete', 200)
      else if (type === 'error') over(isAnswering ? 'broken' : 'refused', status)
      else if (type === 'response.failed' || type === 'response.incomplete') over('broken', 200)
      else isAnswering = true
    })
    socket.on('error', (error) => {
      text ||= String(error)
    })
    socket.on('close', () => over('broken', isAnswering ? 200 : 0))
  })
