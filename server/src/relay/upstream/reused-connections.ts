import { subscribe } from 'node:diagnostics_channel'

/** A request that is being written. */
export interface WrittenRequest {
  /** Its connection has carried another before. */
  onReused(): void
}

const used = new WeakSet<object>()
let writing: WrittenRequest | undefined

const socketIn = (message: unknown): object | undefined => {
  const { socket } = message as { readonly socket?: unknown }
  return typeof socket === 'object' && socket !== null ? socket : undefined
}

// undici says over which socket it writes a request right after it has told the request that it begins, in the same turn.
subscribe('undici:client:sendHeaders', (message) => {
  const request = writing
  writing = undefined
  const socket = socketIn(message)
  if (request === undefined || socket === undefined) return
  if (used.has(socket)) request.onReused()
  else used.add(socket)
})

/** Call it where undici begins to write a request: `onReused` is called if it goes over a connection that was used before. */
export const noteWriting = (request: WrittenRequest): void => {
  writing = request
}
