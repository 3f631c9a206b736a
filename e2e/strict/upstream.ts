import {
  type Answer,
  json,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from '../support/scripted-upstream.ts'
import { asCompletion, readChat, refusesChat } from './chat.ts'
import { asMessage, readMessages, refusesMessages } from './claude.ts'
import { eventStream } from './event-stream.ts'
import { asGenerated, type RequestTarget, readGenerate, refusesGenerate } from './gemini.ts'
import {
  type Complaint,
  type Json,
  openSeals,
  type ReceivedRequest,
  type Seals,
  type Step,
  type Tokens,
  text,
  tokensOf,
} from './model.ts'
import { asResponse, readResponses, refusesResponses } from './responses.ts'

/** A provider of four languages that follows a script, and takes requests as strictly as the real ones do. */
export interface StrictUpstream {
  readonly url: string
  /** Refusals since the script began. */
  readonly complaints: string[]
  /** The requests that it got since then. */
  readonly received: ReceivedRequest[]
  /** The bodies of the same. */
  readonly bodies: Json[]
  /** Usage that it has charged for its answers. */
  readonly charged: Tokens[]
  /** Starts a script. Requests that `aside` has an answer for are no part of it. */
  play(steps: readonly Step[], aside?: Aside, more?: Permissions): void
  close(): Promise<void>
}

/** Answers what clients ask for in between, such as titles; undefined for what belongs to the script. */
type Aside = (request: ReceivedRequest) => Step | undefined

interface Permissions {
  /** Responses may be stored, as they are for clients that do not say otherwise. */
  readonly mayStore?: boolean
}

interface Endpoint {
  readonly path: RegExp
  readonly maker: string
  refuses(body: Json, seals: Seals, target: RequestTarget, before: Step | undefined): Complaint
  read(body: Json, seals: Seals): ReceivedRequest
  answer(step: Step, body: Json, tokens: Tokens, seals: Seals, target: RequestTarget): string
  refusal(message: string, status?: number): Json
}

/** A word for a status; those that are not named stand for a request that is wrong. */
const wordFor = (status: number, words: Readonly<Record<number, string>>, otherwise: string): string =>
  words[status] ?? otherwise

const openaiWords = { 429: 'rate_limit_error', 500: 'server_error', 503: 'server_error' }
const claudeWords = { 429: 'rate_limit_error', 500: 'api_error', 503: 'overloaded_error' }
const geminiWords = { 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL', 503: 'UNAVAILABLE' }

const openaiRefusal = (message: string, status = 400): Json => ({
  error: { message, type: wordFor(status, openaiWords, 'invalid_request_error'), param: null, code: null },
})

const endpoints: readonly Endpoint[] = [
  {
    path: /\/chat\/completions(\?|$)/,
    maker: 'chat',
    refuses: (body, _, { model }) => refusesChat(body, model),
    read: readChat,
    answer: asCompletion,
    refusal: openaiRefusal,
  },
  {
    path: /\/responses$/,
    maker: 'openai',
    refuses: (body, seals, _, before) => refusesResponses(body, seals, before?.thought !== undefined),
    read: readResponses,
    answer: asResponse,
    refusal: openaiRefusal,
  },
  {
    path: /\/v1\/messages$/,
    maker: 'anthropic',
    refuses: (body, seals, { model, betas }) => refusesMessages(body, seals, model, betas),
    read: readMessages,
    answer: asMessage,
    refusal: (message, status = 400) => ({
      type: 'error',
      error: { type: wordFor(status, claudeWords, 'invalid_request_error'), message },
    }),
  },
  {
    path: /\/invoke(-with-response-stream)?$/,
    maker: 'anthropic',
    refuses: ({ anthropic_version: version, anthropic_beta: _, ...body }, seals, { model }) =>
      version === 'bedrock-2023-05-31' ? refusesMessages(body, seals, model) : 'anthropic_version: Field required',
    read: readMessages,
    answer: (step, body, tokens, seals, { stream }) => asMessage(step, { ...body, stream }, tokens, seals),
    refusal: (message) => ({ message }),
  },
  {
    path: /:(g|streamG)enerateContent/,
    maker: 'gemini',
    refuses: (body, seals, { model, path }) => refusesGenerate(body, seals, model, path.includes('/publishers/')),
    read: readGenerate,
    answer: asGenerated,
    refusal: (message, status = 400) => ({
      error: { code: status, message, status: wordFor(status, geminiWords, 'INVALID_ARGUMENT') },
    }),
  },
]

const targetOf = (path: string, body: Json, betas = ''): RequestTarget => ({
  model: text(body.model) || decodeURIComponent(/\/models?\/([^:/?]+)/.exec(path)?.[1] ?? ''),
  stream: body.stream === true || /:stream|with-response-stream/.test(path),
  path,
  betas,
})

/** Cut without regard to letters. */
const cut = 7

const send = ({ response, path }: UpstreamCall, body: string): void => {
  if (body.startsWith('{')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    return
  }
  const isBinary = path.endsWith('/invoke-with-response-stream')
  const bytes = isBinary ? eventStream(body) : Buffer.from(body)
  response.writeHead(200, { 'content-type': isBinary ? 'application/vnd.amazon.eventstream' : 'text/event-stream' })
  for (let at = 0; at < bytes.length; at += cut) response.write(bytes.subarray(at, at + cut))
  response.end()
}

/** How many tokens a request has, which is no part of any script. */
export const counts: readonly (readonly [RegExp, Json])[] = [
  [/\/count_tokens(\?|$)/, { input_tokens: 11 }],
  [/\/input_tokens$/, { object: 'response.input_tokens', input_tokens: 11 }],
  [/:countTokens/, { totalTokens: 11 }],
]

const endpointOf = ({ path }: UpstreamCall): Endpoint => {
  const endpoint = endpoints.find((one) => one.path.test(path))
  if (endpoint === undefined) throw new Error(`nobody answers at ${path}`)
  return endpoint
}

/** Answers a call outside of any script and without a look at it; `breaksOff` cuts the connection in the middle of the answer. */
export const answerAlone = (call: UpstreamCall, step: Step, { breaksOff = false } = {}): void => {
  const body = JSON.parse(call.raw) as Json
  const { answer, maker } = endpointOf(call)
  const text = answer(step, body, tokensOf(0), openSeals(maker), targetOf(call.path, body))
  if (!breaksOff) {
    send(call, text)
    return
  }
  const { response } = call
  response.writeHead(200, { 'content-type': text.startsWith('{') ? 'application/json' : 'text/event-stream' })
  response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy())
}

/** Refuses a call in the language of its endpoint. */
export const refuseAlone = (call: UpstreamCall, status: number, message: string): void => {
  const body = JSON.stringify(endpointOf(call).refusal(message, status))
  call.response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

export const startStrictUpstream = async (): Promise<StrictUpstream> => {
  const upstream: ScriptedUpstream = await startScriptedUpstream()
  const complaints: string[] = []
  const bodies: Json[] = []
  const received: ReceivedRequest[] = []
  const charged: Tokens[] = []
  let left: Step[] = []
  let aside: Aside = () => undefined
  let permissions: Permissions = {}
  let before: { readonly step: Step; readonly maker: string } | undefined
  let seals = new Map<string, Seals>()

  const sealsOf = (maker: string): Seals => {
    const opened = seals.get(maker) ?? openSeals(maker)
    seals.set(maker, opened)
    return opened
  }

  const refuse = ({ response }: UpstreamCall, endpoint: Endpoint, complaint: string): void => {
    complaints.push(complaint)
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(endpoint.refusal(complaint)))
  }

  const answer: Answer = (call) => {
    const counted = counts.find(([path]) => path.test(call.path))
    if (counted !== undefined) {
      json(counted[1])(call)
      return
    }
    const endpoint = endpoints.find((one) => one.path.test(call.path))
    if (endpoint === undefined) {
      complaints.push(`nobody answers at ${call.path}`)
      json({ error: { message: 'not found' } }, 404)(call)
      return
    }
    const body = JSON.parse(call.raw) as Json
    const target = targetOf(call.path, body, String(call.headers['anthropic-beta'] ?? ''))
    const ownSeals = sealsOf(endpoint.maker)
    bodies.push(body)
    const besides = aside(endpoint.read(body, ownSeals))
    if (besides !== undefined) {
      const tokens = tokensOf(charged.length)
      charged.push(tokens)
      send(call, endpoint.answer(besides, body, tokens, ownSeals, target))
      return
    }
    const step = left.shift()
    const own = before?.maker === endpoint.maker ? before.step : undefined
    const checked = permissions.mayStore === true ? { ...body, store: false } : body
    const complaint =
      endpoint.refuses(endpoint.maker === 'openai' ? checked : body, ownSeals, target, own) ??
      (step === undefined ? 'the script is over' : undefined)
    if (complaint !== undefined || step === undefined) {
      refuse(call, endpoint, complaint ?? '')
      return
    }
    received.push(endpoint.read(body, ownSeals))
    const tokens = tokensOf(charged.length)
    charged.push(tokens)
    before = { step, maker: endpoint.maker }
    send(call, endpoint.answer(step, body, tokens, ownSeals, target))
  }

  upstream.answer = answer
  return {
    url: upstream.url,
    complaints,
    bodies,
    received,
    charged,
    play(steps, answersAside = () => undefined, permitted = {}) {
      left = [...steps]
      aside = answersAside
      permissions = permitted
      before = undefined
      seals = new Map()
      for (const all of [complaints, bodies, received, charged]) all.length = 0
    },
    close: () => upstream.close(),
  }
}
