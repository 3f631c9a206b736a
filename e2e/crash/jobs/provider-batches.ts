import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProviderMoment } from './provider.ts'

/** Files and batches of a provider in OpenAI's shape (platform.openai.com/docs/api-reference/batch). */
export interface ProviderBatches {
  readonly count: number
  /** Answers a request; false where it is about something else. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

export interface ProviderBatchesParts {
  isAwaited(moment: ProviderMoment): boolean
  passed(moment: ProviderMoment, request: IncomingMessage): void
  send(response: ServerResponse, body: object): Promise<void>
  /** The answer to the call of a line. */
  answerOf(model: string): object
}

interface Line {
  readonly custom_id: string
  readonly body: { readonly model: string }
}

interface Batch {
  readonly id: string
  readonly metadata: unknown
  readonly lines: readonly Line[]
  readonly completesAt: number
  /** When it was asked to end; Infinity where it was not. */
  endsAt: number
  /** Lines that are done when it is asked to end; none where it never ends after that. */
  doneAtEnd: number | undefined
}

/** Each so many batches are begun only where the gateway still waits for the answer. */
const notBegunEach = 2
/** Each so many batches that are asked to end never do. */
const endlessEach = 3
const leastMs = 15_000
const mostMs = 60_000
const endingMs = 4_000
const pieces = 4
const pieceMs = 120

const bytesOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** The content of the member `file` of a form. */
const fileIn = (form: string): string => {
  const [, part = ''] = form.split('name="file"')
  return part.slice(part.indexOf('\r\n\r\n') + 4).split('\r\n--', 1)[0] ?? ''
}

export const openProviderBatches = (parts: ProviderBatchesParts): ProviderBatches => {
  const { isAwaited, passed, send, answerOf } = parts
  const files = new Map<string, readonly Line[]>()
  const batches = new Map<string, Batch>()
  let [asked, ended] = [0, 0]

  const isEnded = ({ endsAt, doneAtEnd }: Batch): boolean => doneAtEnd !== undefined && endsAt <= Date.now()

  const statusOf = (batch: Batch): string => {
    if (isEnded(batch)) return 'cancelled'
    if (batch.endsAt < Number.POSITIVE_INFINITY) return 'cancelling'
    return batch.completesAt <= Date.now() ? 'completed' : 'in_progress'
  }

  const objectOf = (batch: Batch): object => {
    const { id, metadata } = batch
    const status = statusOf(batch)
    const isOver = status === 'completed' || status === 'cancelled'
    return { id, object: 'batch', status, metadata, ...(isOver && { output_file_id: `output-${id}` }) }
  }

  const refuse = (response: ServerResponse): void => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not found"}}')
  }

  const upload = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const lines = fileIn(await bytesOf(request)).split('\n')
    const id = `file-provider-${files.size + 1}`
    files.set(
      id,
      lines.map((line) => JSON.parse(line) as Line),
    )
    await send(response, { id, object: 'file' })
  }

  const create = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await bytesOf(request)) as { input_file_id: string; metadata?: unknown }
    asked += 1
    const completesAt = Date.now() + leastMs + Math.random() * (mostMs - leastMs)
    const [endsAt, doneAtEnd] = [Number.POSITIVE_INFINITY, undefined]
    const lines = files.get(body.input_file_id) ?? []
    const batch: Batch = {
      id: `batch_provider_${asked}`,
      metadata: body.metadata,
      lines,
      completesAt,
      endsAt,
      doneAtEnd,
    }
    const isLate = asked % notBegunEach === 0
    if (!isLate) batches.set(batch.id, batch)
    if (isAwaited('batch asked for')) {
      passed('batch asked for', request)
      // The gateway dies while it waits for the answer.
      await wait(1_000)
    }
    if (response.destroyed) return
    batches.set(batch.id, batch)
    await send(response, objectOf(batch))
    passed('batch begun', request)
  }

  const cancel = async (batch: Batch, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (statusOf(batch) === 'in_progress') {
      ended += 1
      batch.endsAt = Date.now() + endingMs
      if (ended % endlessEach > 0) batch.doneAtEnd = Math.floor(Math.random() * (batch.lines.length + 1))
    }
    await send(response, objectOf(batch))
    passed('batch asked to end', request)
  }

  /** Results come in another order than the lines, and some at a time. */
  const sendResults = async (batch: Batch, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const lines = batch.lines.slice(0, batch.doneAtEnd).map(({ custom_id, body }) => {
      const answered = { status_code: 200, request_id: `req_${custom_id}`, body: answerOf(body.model) }
      return `${JSON.stringify({ id: `batch_req_${custom_id}`, custom_id, response: answered, error: null })}\n`
    })
    const text = lines.toReversed().join('')
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    passed('results sent', request)
    const length = Math.ceil(text.length / pieces)
    for (let from = 0; from < text.length; from += length) {
      response.write(text.slice(from, from + length))
      await wait(pieceMs)
    }
    response.end()
  }

  return {
    get count() {
      return batches.size
    },
    async answer(request, response) {
      const { method, url = '' } = request
      const [path = ''] = url.split('?', 1)
      const [, output] = /^\/v1\/files\/output-([^/]+)\/content$/.exec(path) ?? []
      const [, id, action] = /^\/v1\/batches\/([^/]+)(\/cancel)?$/.exec(path) ?? []
      const batch = batches.get(output ?? id ?? '')
      if (path === '/v1/files' && method === 'POST') await upload(request, response)
      else if (path === '/v1/batches' && method === 'POST') await create(request, response)
      else if (path === '/v1/batches')
        await send(response, { object: 'list', data: [...batches.values()].toReversed().slice(0, 100).map(objectOf) })
      else if (output === undefined && id === undefined) return false
      else if (batch === undefined) refuse(response)
      else if (output !== undefined) await sendResults(batch, request, response)
      else if (action !== undefined) await cancel(batch, request, response)
      else await send(response, objectOf(batch))
      return true
    },
  }
}
