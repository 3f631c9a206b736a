import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen, shut } from '../gateway/listener.ts'
import { asyncListener } from '../lib/async-listener.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

/** A provider of batches that answers by method and path, for tests. */
export interface BatchProvider {
  readonly url: string
  /** Method and path with query of what came, oldest first. */
  readonly received: string[]
  /** By method and path without query. */
  readonly answers: Map<string, Answer>
  close(): Promise<void>
}

export const json =
  (body: unknown, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Lines of JSON, as a file has them. */
export const lines =
  (all: readonly unknown[]): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    for (const line of all) response.write(`${JSON.stringify(line)}\n`)
    response.end()
  }

export const openBatchProvider = async (): Promise<BatchProvider> => {
  const received: string[] = []
  const answers = new Map<string, Answer>()
  const { server, url } = await listen(
    asyncListener(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      received.push(`${request.method} ${request.url}`)
      const [path] = (request.url ?? '').split('?')
      const answer = answers.get(`${request.method} ${path}`) ?? json({ error: { message: 'not found' } }, 404)
      answer(request, response, Buffer.concat(chunks))
    }),
  )
  return { url, received, answers, close: () => shut(server) }
}
