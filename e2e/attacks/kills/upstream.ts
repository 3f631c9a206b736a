import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { responsesEvents } from './responses-events.ts'

/** Behaviours of the upstream; the call names one in its text as `{call-7 slow}`. */
export const behaviours = [
  'normal',
  'slow',
  'long',
  'burst',
  'cut',
  'silent-end',
  'error-200',
  'refuse',
  'usage-huge',
  'usage-negative',
  'usage-odd',
  'usage-falling',
  'varied',
  'varied-slow',
] as const
export type Behaviour = (typeof behaviours)[number]

/** How often the upstream received a call and how often it handed a whole answer to its connection. */
export interface Served {
  received: number
  completed: number
}

/** An OpenAI-like provider on this machine that keeps count of every call by its mark. */
export interface CountingUpstream {
  readonly url: string
  readonly served: ReadonlyMap<string, Served>
  /** How many calls of this kind were under way at the same time at most. */
  mostAtOnce(behaviour: Behaviour): number
  close(): Promise<void>
}

/** The text that makes a call known to the upstream. */
export const markOf = (id: string, behaviour: Behaviour): string => `{${id} ${behaviour}}`

const markPattern = new RegExp(`\\{(call-\\d+) (${behaviours.join('|')})\\}`)
const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 }
const usages: Readonly<Partial<Record<Behaviour, object>>> = {
  'usage-huge': { prompt_tokens: 400_000_000, completion_tokens: 1, total_tokens: 999_999_999 },
  'usage-negative': { prompt_tokens: -20, completion_tokens: -50, total_tokens: -70 },
  'usage-odd': { prompt_tokens: '20', completion_tokens: 0.5, total_tokens: 1e300, num_requests: 0.5 },
}
/** Counts of a call's own, the same whenever it is asked again. */
const variedUsage = (id: string): typeof usage => {
  const number = Number(id.replace(/\D/g, ''))
  const prompt_tokens = (number * 7919) % 5003
  const completion_tokens = 1 + ((number * 104_729) % 1999)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

const countsOf = (behaviour: Behaviour, id: string): typeof usage =>
  behaviour.startsWith('varied') ? variedUsage(id) : usage

const usageOf = (behaviour: Behaviour, id: string): object => usages[behaviour] ?? countsOf(behaviour, id)

const texts = ['The gate ', 'opens, ', 'the meter ', 'counts.']
const quickMs = 5
const slowMs = 600
/** Longer than a stream runs before its cost is looked at. */
const burstAfterMs = 1200
const isSlow = (behaviour: Behaviour): boolean =>
  behaviour === 'slow' || behaviour === 'long' || behaviour === 'varied-slow'
const longestBodyBytes = 32 * 1024 * 1024

const event = (more: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-kill', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4o', ...more })}\n\n`

const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })

const usageEvents = (behaviour: Behaviour, id: string): string =>
  behaviour === 'usage-falling'
    ? event({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 500, total_tokens: 520 } }) +
      event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })
    : event({ choices: [], usage: usageOf(behaviour, id) })

/** A whole answer in pieces, and its end. */
interface Streamed {
  readonly deltas: readonly string[]
  readonly end: string
}

const chatEvents = (behaviour: Behaviour, id: string): Streamed => {
  const end = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  return { deltas: texts.map(delta), end: `${end}${usageEvents(behaviour, id)}data: [DONE]\n\n` }
}

const eventsFor = (path: string, behaviour: Behaviour, id: string): Streamed => {
  if (!path.endsWith('/responses')) return chatEvents(behaviour, id)
  const { begin, deltas, end } = responsesEvents(texts, countsOf(behaviour, id))
  return { deltas: [begin, ...deltas], end }
}

const stream = (response: ServerResponse, behaviour: Behaviour, { deltas, end }: Streamed, done: () => void): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (behaviour === 'burst') {
    setTimeout(() => response.end(deltas.join('') + end, done), burstAfterMs)
    return
  }
  const parts = [...deltas]
  const send = (): void => {
    if (response.destroyed) return
    const text = parts.shift()
    if (text !== undefined) {
      response.write(text)
      setTimeout(send, isSlow(behaviour) ? slowMs : quickMs)
      return
    }
    if (behaviour === 'cut') response.destroy()
    else if (behaviour === 'silent-end') response.end()
    else response.end(end, done)
  }
  send()
}

/** Answer to a call that does not stream. */
const wholeFor = (path: string, behaviour: Behaviour, id: string, model: unknown): object => {
  if (path.endsWith('/responses')) return responsesEvents(texts, countsOf(behaviour, id)).whole
  const choices = [{ index: 0, message: { role: 'assistant', content: texts.join('') }, finish_reason: 'stop' }]
  const head = { id: 'chatcmpl-kill', object: 'chat.completion', created: 1_700_000_000, model }
  return { ...head, choices, usage: usageOf(behaviour, id) }
}

const whole = (response: ServerResponse, behaviour: Behaviour, answer: object, done: () => void): void => {
  const text = JSON.stringify(answer)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (behaviour === 'cut') response.write(text.slice(0, 40), () => response.destroy())
  else response.end(text, done)
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const embeddings = (response: ServerResponse, done: () => void): void => {
  const body = {
    object: 'list',
    model: 'text-embedding-3-small',
    data: [{ object: 'embedding', index: 0, embedding: [0.1] }],
    usage: { prompt_tokens: 8, total_tokens: 8 },
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body), done)
}

const memberOf = (text: string): { stream: boolean; model: unknown } => {
  try {
    const body = JSON.parse(text) as { stream?: unknown; model?: unknown }
    return { stream: body.stream === true, model: body.model }
  } catch {
    return { stream: false, model: '' }
  }
}

export const startCountingUpstream = async (): Promise<CountingUpstream> => {
  const served = new Map<string, Served>()
  const atOnce = new Map<Behaviour, { now: number; most: number }>()

  /** Counts a call until its answer is given to its connection, or its caller has left. */
  const follow = (behaviour: Behaviour, response: ServerResponse): void => {
    const count = atOnce.get(behaviour) ?? { now: 0, most: 0 }
    atOnce.set(behaviour, count)
    count.now += 1
    count.most = Math.max(count.most, count.now)
    let over = false
    const end = (): void => {
      if (!over) count.now -= 1
      over = true
    }
    response.once('prefinish', end)
    response.once('close', end)
  }

  const answer = (path: string, text: string, response: ServerResponse): void => {
    const [, id = '', behaviour = 'normal'] = (markPattern.exec(text) ?? []) as unknown as [string, string?, Behaviour?]
    const count = served.get(id) ?? { received: 0, completed: 0 }
    served.set(id, count)
    count.received += 1
    follow(behaviour, response)
    const done = (): void => {
      count.completed += 1
    }
    if (behaviour === 'refuse') json(response, 503, { error: { message: 'try later', type: 'server_error' } })
    else if (behaviour === 'error-200')
      json(response, 200, { error: { message: 'filtered', code: 'content_filter', status: 400 } })
    else if (path.endsWith('/embeddings')) embeddings(response, done)
    else {
      const { stream: streamed, model } = memberOf(text)
      if (streamed) stream(response, behaviour, eventsFor(path, behaviour, id), done)
      else
        setTimeout(
          () => whole(response, behaviour, wholeFor(path, behaviour, id, model), done),
          isSlow(behaviour) ? slowMs : quickMs,
        )
    }
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    let bytes = 0
    request.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes > longestBodyBytes) request.destroy()
      else parts.push(part)
    })
    request.on('end', () => answer(request.url ?? '', Buffer.concat(parts).toString(), response))
    request.on('error', () => undefined)
    response.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    served,
    mostAtOnce: (behaviour) => atOnce.get(behaviour)?.most ?? 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
