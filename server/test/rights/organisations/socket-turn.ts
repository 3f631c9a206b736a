import { once } from 'node:events'
import { WebSocket } from 'ws'

/**
 * One turn over a WebSocket of the Responses API, on a socket of its own: everything that comes up to its last event, or the code with
 * which the socket closes.
 */
export const socketTurn = async (url: string, key: string, body: object): Promise<string> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer sk-${key}` },
  })
  const seen: string[] = []
  const over = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      seen.push(String(data))
      if (/"type":"(response\.(completed|failed|incomplete)|error)"/.test(String(data))) resolve()
    })
    // A refused handshake closes the socket, too.
    socket.on('error', (error) => seen.push(String(error)))
    socket.on('close', (code) => {
      seen.push(`closed ${code}`)
      resolve()
    })
  })
  socket.on('open', () => socket.send(JSON.stringify({ type: 'response.create', ...body })))
  await over
  if (socket.readyState !== WebSocket.CLOSED) {
    const closed = once(socket, 'close')
    socket.terminate()
    await closed
  }
  return seen.join('\n')
}
