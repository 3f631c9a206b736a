import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerValue } from '../../lib/header-value.ts'
import type { AnswerMemory } from '../../lib/memory/answer-memory.ts'
import type { Client, ClientListeners } from '../../relay/call.ts'
import type { Trailers } from '../../relay/client.ts'

const noListeners: ClientListeners = { drained() {}, gone() {} }

/** A client that takes nothing for so long is gone, though its connection stands: its call would never end. */
const mostStalledMs = 300_000

/** Bytes; with their head they fit into what node writes without allocating (16 kB). */
const mostJoined = 12 * 1024

/** Bytes up to which an answer that was not taken yet is not counted. */
const littleUnsent = 64 * 1024

const isLimitHeader = (name: string): boolean => /^(?:x|anthropic)-ratelimit-/i.test(name)

/** The provider's limits are those of the operator: if limits of the gateway are sent, they alone apply to the client. */
const pushWithoutLimits = (all: string[], headers: readonly string[]): void => {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]]
    if (!isLimitHeader(name)) all.push(name, value)
  }
}

const addTrailers = (response: ServerResponse, headers: readonly string[]): void => {
  const pairs = headers.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : []))
  response.addTrailers(pairs)
}

/** A client at the other end of a node response. */
export class ResponseClient implements Client {
  gone = false
  /** Names and values in turn, for the head beside those of the answer. */
  readonly headers: string[] = []
  private readonly response: ServerResponse
  private readonly requestId: string
  private readonly answerMemory: AnswerMemory | undefined
  private listeners = noListeners
  private ended = false
  private wrote = false
  private stalled: NodeJS.Timeout | undefined

  constructor(response: ServerResponse, requestId: string, answerMemory?: AnswerMemory) {
    this.response = response
    this.answerMemory = answerMemory
    this.requestId = requestId
    const leave = (): void => this.leave()
    response.on('close', leave)
    // A broken connection is reported by `close`; without a listener, its error would end the process. A request emits its error only to
    // listeners.
    response.on('error', leave)
  }

  get begun(): boolean {
    return this.response.headersSent
  }

  /** They are a part of chunked answers (RFC 9112, 7.1.2), which HTTP/1.0 does not know. */
  get trailers(): Trailers | undefined {
    const { response } = this
    return response.req.httpVersion === '1.0' ? undefined : { add: (headers) => addTrailers(response, headers) }
  }

  /** Clients read the id of their request from one header or another: `X-Request-Id` OpenAI's, `Request-Id` Anthropic's. */
  head(status: number, headers: readonly string[]): void {
    if (this.gone) return
    const all = ['X-Oneapi-Request-Id', this.requestId, 'X-Request-Id', this.requestId, 'Request-Id', this.requestId]
    // For so few, `concat` costs more.
    for (const text of corsHeaders) all.push(text)
    for (const text of this.headers) all.push(text)
    if (this.headers.some(isLimitHeader)) pushWithoutLimits(all, headers)
    else for (const text of headers) all.push(text)
    this.response.writeHead(status, all)
  }

  write(bytes: Buffer | string): boolean {
    this.wrote = true
    if (this.gone || this.response.write(bytes)) return true
    if (this.stalled === undefined) this.response.once('drain', () => this.drained())
    clearTimeout(this.stalled)
    this.stalled = setTimeout(() => this.response.destroy(), mostStalledMs).unref()
    return false
  }

  end(bytes?: Buffer | string): void {
    if (this.gone || this.ended) return
    this.ended = true
    if (bytes !== undefined && bytes.length > littleUnsent) this.countUnsent(bytes.length)
    // Node sends a small text together with the head in one write; of bytes it would make a list of two.
    if (bytes instanceof Buffer && bytes.length <= mostJoined && !this.wrote)
      this.response.end(bytes.toString('latin1'), 'latin1')
    else this.response.end(bytes)
  }

  abandon(): void {
    this.response.destroy()
  }

  listen(listeners: ClientListeners): void {
    this.listeners = listeners
    if (this.gone) listeners.gone()
  }

  private countUnsent(bytes: number): void {
    const taken = this.answerMemory?.unsent({ bytes, cut: () => this.response.destroy() })
    if (taken !== undefined) this.response.once('close', taken)
  }

  private drained(): void {
    clearTimeout(this.stalled)
    this.stalled = undefined
    this.listeners.drained()
  }

  private leave(): void {
    clearTimeout(this.stalled)
    if (this.ended || this.gone) return
    this.gone = true
    this.listeners.gone()
  }
}

/** Every origin may call; browsers never send cookies along to `*`. */
const corsHeaders: readonly string[] = ['Access-Control-Allow-Origin', '*', 'Access-Control-Allow-Credentials', 'true']

/** Answers a browser that asks whether it may call. */
export const answerPreflight = (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
  response.writeHead(204, [
    'X-Oneapi-Request-Id',
    requestId,
    ...corsHeaders,
    'Access-Control-Allow-Methods',
    'GET, POST, PUT, DELETE, OPTIONS',
    'Access-Control-Allow-Headers',
    headerValue(request.headers['access-control-request-headers'] ?? '*'),
    'Access-Control-Max-Age',
    '43200',
  ])
  response.end()
}
