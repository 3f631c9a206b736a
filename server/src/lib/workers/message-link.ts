import { type ErrorCode, errors } from '@tollgate/contract'
import { AppError } from '../app-error.ts'
import { reasonOf } from '../reason-of.ts'

/** The pipe between two processes of one node. */
export interface ProcessPipe {
  /** Messages arrive in the order in which they are sent, or not at all once the other process has ended. */
  send(messages: readonly LinkMessage[]): void
  onMessages(listener: (messages: readonly LinkMessage[]) => void): void
}

type Params = Readonly<Record<string, string | number>>

export type LinkMessage =
  | readonly [kind: 'ask', id: number, service: string, values: readonly unknown[]]
  | readonly [kind: 'answer', id: number, value: unknown]
  | readonly [kind: 'failed', id: number, reason: string, code: string | undefined, params: Params]
  | readonly [kind: 'notice', topic: string, text: string]

/** Services of one process for the other, by name. */
export type Services = ReadonlyMap<string, (...values: never[]) => unknown>

/** Requests, answers and notices between two processes; those of one turn of the event loop share a message. */
export interface MessageLink {
  /** Rejects with the AppError of the other side, or when the link was closed. */
  ask(service: string, values: readonly unknown[]): Promise<unknown>
  notify(topic: string, text: string): void
  /** Rejects pending requests. */
  close(): void
}

const isErrorCode = (code: string | undefined): code is ErrorCode => code !== undefined && Object.hasOwn(errors, code)

const failure = (reason: string, code: string | undefined, params: Params): Error =>
  isErrorCode(code) ? new AppError(code, { params }) : new Error(reason)

export const openMessageLink = (parts: {
  readonly pipe: ProcessPipe
  readonly services: Services
  readonly onNotice: (topic: string, text: string) => void
}): MessageLink => {
  const { pipe, services, onNotice } = parts
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  let queue: LinkMessage[] = []
  let closed = false

  const flush = (): void => {
    const messages = queue
    queue = []
    if (!closed) pipe.send(messages)
  }
  const send = (message: LinkMessage): void => {
    if (queue.push(message) === 1) setImmediate(flush)
  }

  const run = async (id: number, service: string, values: readonly unknown[]): Promise<void> => {
    try {
      const handler = services.get(service)
      if (handler === undefined) throw new Error(`no service ${service}`)
      const value: unknown = handler(...(values as never[]))
      // Synchronous answers keep their place among the messages.
      send(['answer', id, value instanceof Promise ? await value : value])
    } catch (error) {
      const { code, params } = error instanceof AppError ? error : { code: undefined, params: {} }
      send(['failed', id, reasonOf(error), code, params])
    }
  }

  const take = (id: number) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    return asked
  }

  pipe.onMessages((messages) => {
    for (const message of messages) {
      switch (message[0]) {
        case 'ask':
          void run(message[1], message[2], message[3])
          break
        case 'answer':
          take(message[1])?.resolve(message[2])
          break
        case 'failed':
          take(message[1])?.reject(failure(message[2], message[3], message[4]))
          break
        case 'notice':
          onNotice(message[1], message[2])
      }
    }
  })

  return {
    ask: (service, values) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the other process has ended'))
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        send(['ask', lastId, service, values])
      }),
    notify: (topic, text) => send(['notice', topic, text]),
    close() {
      if (queue.length > 0) flush()
      closed = true
      for (const { reject } of waiting.values()) reject(new Error('the other process has ended'))
      waiting.clear()
    },
  }
}
