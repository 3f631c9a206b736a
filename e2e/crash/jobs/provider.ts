import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { openProviderBatches } from './provider-batches.ts'

/** Moments in the life of a job that its provider sees. */
export type ProviderMoment =
  /** It has the request for a video, and has not answered. */
  | 'video asked for'
  /** It has answered with the id of a video. */
  | 'video begun'
  /** It has said that a video is finished. */
  | 'video finished'
  /** It has answered a line of a batch. */
  | 'line answered'
  /** It has answered the last line of a batch. */
  | 'last line answered'
  /** It has answered a response in the background. */
  | 'answer made'
  /** It has the request for a batch, and has not answered. */
  | 'batch asked for'
  /** It has answered with the id of a batch. */
  | 'batch begun'
  /** It has answered that a batch will end. */
  | 'batch asked to end'
  /** It begins to send the results of a batch. */
  | 'results sent'
  /** It has answered a line that it was to make in a batch. */
  | 'rest line answered'

/** A moment, and the port of the connection over which it came. */
export interface SeenMoment {
  readonly port: number
}

/** Work that a provider has done, by the names that requests carry. */
export interface Served {
  /** How often each line of a batch was answered. */
  readonly lines: ReadonlyMap<string, number>
  readonly answers: number
  /** Ids of videos that it has begun, and of those that it has said to be finished. */
  readonly begun: ReadonlySet<string>
  readonly finished: ReadonlySet<string>
  /** Batches that it has begun. */
  readonly batches: number
}

export interface JobProvider {
  readonly url: string
  readonly port: number
  readonly served: Served
  /** Resolves at the next moment of this kind; undefined where none comes within `patienceMs`. */
  next(moment: ProviderMoment, patienceMs: number): Promise<SeenMoment | undefined>
  close(): Promise<void>
}

/** Tokens of each answer, which cost `answerCost` at the prices of gpt-4o, and seconds of each video, which cost `videoCost`. */
export const answerCost = 275
export const videoCost = 200_000
/** The model of the batches that it runs, and what an answer of it costs in a batch and alone. */
export const batchModel = 'gpt-4.1'
export const batchedCost = 110
export const batchModelCost = 220
/** The content of answers in its batches. */
export const batchedText = 'Done in a batch.'
const [inputTokens, outputTokens] = [20, 50]
const videoSeconds = 4
const videoMs = 3_000
/** Each so many videos fail at their provider. */
const failsEach = 5

/** Lines of a batch say `line <number> of <lines> in <batch>`. */
export const textOfLine = (batch: string, line: number, lines: number): string => `line ${line} of ${lines} in ${batch}`
const lineIn = /^line (\d+) of (\d+) in (\S+)$/

const chat = (model = 'gpt-4o', content = 'Done.'): object => ({
  id: 'chatcmpl-job',
  object: 'chat.completion',
  created: 1_700_000_000,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
})

const responseNumber = (number: number) => ({
  id: `resp_provider_${number}`,
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'gpt-4o',
  output: [
    {
      type: 'message',
      id: `msg_${number}`,
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  },
})

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/**
 * A provider of conversations, responses, videos and batches that takes its time, `slowness` times as much as usual, and names the moments at which
 * a gateway may die.
 */
export const startJobProvider = async (slowness = 1): Promise<JobProvider> => {
  const waiting = new Map<ProviderMoment, (seen: SeenMoment) => void>()
  const lines = new Map<string, number>()
  const leftOf = new Map<string, Set<number>>()
  const videos = new Map<string, { readonly until: number; readonly fails: boolean }>()
  const finished = new Set<string>()
  let answers = 0

  const isAwaited = (moment: ProviderMoment): boolean => waiting.has(moment)
  const passed = (moment: ProviderMoment, { socket }: IncomingMessage): void => {
    const seen = waiting.get(moment)
    waiting.delete(moment)
    seen?.({ port: socket.remotePort ?? 0 })
  }

  const send = async (response: ServerResponse, body: object): Promise<void> => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    await once(response, 'close')
  }

  const answerLine = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { messages, model } = (await bodyOf(request)) as {
      model?: string
      messages?: readonly { content?: string }[]
    }
    const text = messages?.[0]?.content ?? ''
    await wait(slowness * (40 + Math.random() * 120))
    lines.set(text, (lines.get(text) ?? 0) + 1)
    await send(response, chat(model))
    if (model === batchModel) return passed('rest line answered', request)
    const [, line = '', count = '', batch] = lineIn.exec(text) ?? []
    if (batch === undefined) return
    const left = leftOf.get(batch) ?? new Set(Array.from({ length: Number(count) }, (_, index) => index + 1))
    leftOf.set(batch, left)
    left.delete(Number(line))
    passed('line answered', request)
    if (left.size === 0) passed('last line answered', request)
  }

  const answerResponse = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await bodyOf(request)
    await wait(slowness * (100 + Math.random() * 600))
    answers += 1
    await send(response, responseNumber(answers))
    passed('answer made', request)
  }

  const beginVideo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await bodyOf(request)
    const number = videos.size + 1
    const id = `video_provider_${number}`
    videos.set(id, { until: Date.now() + videoMs, fails: number % failsEach === 0 })
    if (isAwaited('video asked for')) {
      passed('video asked for', request)
      // The gateway dies while it waits for the answer.
      await wait(1_000)
    }
    if (response.destroyed) return
    await send(response, { id, object: 'video', status: 'queued', model: 'sora-2', progress: 0 })
    passed('video begun', request)
  }

  const answerVideo = async (id: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const video = videos.get(id)
    const about = { id, object: 'video', model: 'sora-2' }
    if (video === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such video"}}')
      return
    }
    if (Date.now() < video.until) return send(response, { ...about, status: 'in_progress', progress: 50 })
    if (video.fails)
      return send(response, { ...about, status: 'failed', error: { code: 'moderation_blocked', message: 'No.' } })
    finished.add(id)
    await send(response, { ...about, status: 'completed', progress: 100, seconds: String(videoSeconds) })
    passed('video finished', request)
  }

  const answerOf = (model: string): object => chat(model, batchedText)
  const batches = openProviderBatches({ isAwaited, passed, send, answerOf })

  const server = createServer((request, response) => {
    const { method, url = '' } = request
    const [, id] = /^\/v1\/videos\/([^/?]+)$/.exec(url) ?? []
    const answer = async (): Promise<void> => {
      if (await batches.answer(request, response)) return
      if (method === 'GET' && id !== undefined) return answerVideo(id, request, response)
      if (url.startsWith('/v1/videos')) return beginVideo(request, response)
      return url.startsWith('/v1/responses') ? answerResponse(request, response) : answerLine(request, response)
    }
    // A gateway that is killed breaks its requests off.
    answer().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    served: {
      lines,
      finished,
      get answers() {
        return answers
      },
      get batches() {
        return batches.count
      },
      get begun() {
        return new Set(videos.keys())
      },
    },
    async next(moment, patienceMs) {
      const { promise, resolve } = Promise.withResolvers<SeenMoment | undefined>()
      waiting.set(moment, resolve)
      const timer = setTimeout(resolve, patienceMs, undefined)
      const seen = await promise
      clearTimeout(timer)
      if (seen === undefined) waiting.delete(moment)
      return seen
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
