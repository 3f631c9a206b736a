import type { InspectedCall } from '../captures.ts'
import type { ClientSocket } from './ports.ts'

/** Sound as text would fill a capture within seconds without any use. */
const sound = /"[A-Za-z0-9+/_-]{1000,}={0,2}"/g

/** A message of a session as a capture shows it: one line, with the length of sound and pictures instead of them. */
export const sessionLine = (message: string | Buffer): string =>
  `${message.toString().replace(sound, (text) => `"[${text.length - 2} characters]"`)}\n`

/** The same socket; what its client gets is written down. */
export const inspectedSocket = (socket: ClientSocket, capture: InspectedCall): ClientSocket => ({
  get waiting() {
    return socket.waiting
  },
  send(message) {
    socket.send(message)
    capture.answered(101, [], sessionLine(message))
  },
  pause: () => socket.pause(),
  resume: () => socket.resume(),
  keep: (bytes) => socket.keep(bytes),
  close(code, reason, last) {
    socket.close(code, reason, last)
    if (last !== undefined) capture.answered(101, [], sessionLine(last))
  },
  abandon: () => socket.abandon(),
})
