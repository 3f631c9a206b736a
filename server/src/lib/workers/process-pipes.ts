import type { Worker } from 'node:cluster'
import type { LinkMessage, ProcessPipe } from './message-link.ts'

/** Node writes a message while the other process lives; a pipe that breaks shows in the events of the process. */
const ignore = (): void => {}

const isBatch = (message: unknown): message is readonly LinkMessage[] => Array.isArray(message)

/** From a worker to the process that supervises it. */
export const pipeToPrimary = (): ProcessPipe => ({
  send: (messages) => void process.send?.(messages, undefined, undefined, ignore),
  onMessages: (listener) =>
    void process.on('message', (message: unknown) => {
      if (isBatch(message)) listener(message)
    }),
})

/** From the supervising process to a worker. */
export const pipeToWorker = (worker: Worker): ProcessPipe => ({
  send: (messages) => {
    if (worker.isConnected()) worker.send(messages as LinkMessage[], ignore)
  },
  onMessages: (listener) =>
    void worker.on('message', (message: unknown) => {
      if (isBatch(message)) listener(message)
    }),
})
