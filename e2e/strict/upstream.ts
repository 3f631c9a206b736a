import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from '../support/scripted-upstream.ts'
import { asCompletion, hearChat, refusesChat } from './chat.ts'
import { asMessage, hearMessages, refusesMessages } from './claude.ts'
import { eventStream } from './event-stream.ts'
import { type Asked, asGenerated, hearGenerate, refusesGenerate } from './gemini.ts'
import {
  type Complaint,
  type Heard,
  type Json,
  openSeals,
  type Seals,
  type Step,
  type Tokens,
  text,
  tokensOf,
} from './model.ts'
import { asResponse, hearResponses, refusesResponses } from './responses.ts'

/** A provider of four languages that follows a script, and takes requests as strictly as the real ones do. */
export interface StrictUpstream {
  readonly url: string
  /** What it refused since the script began. */
  readonly complaints: string[]
  /** The requests that it got since then. */
  readonly heard: Heard[]
  /** The bodies of the same. */
  readonly bodies: Json[]
  /** What it has charged for its answers. */
  readonly charged: Tokens[]
  /** Starts a script. */
  play(steps: readonly Step[]): void
  close(): Promise<void>
}

interface Endpoint {
  readonly path: RegExp
  readonly maker: string
  refuses(body: Json, seals: Seals, asked: Asked, before: Step | undefined): Complaint
  hear(body: Json, seals: Seals): Heard
  answer(step: Step, body: Json, tokens: Tokens, seals: Seals, asked: Asked): string
  refusal(message: string): Json
}

const openaiRefusal = (message: string): Json => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
})

const endpoints: readonly Endpoint[] = [
  {
    path: /\/chat\/completions(\?|$)/,
    maker: 'chat',
    refuses: (body, _, { model }) => refusesChat(body, model),
    hear: hearChat,
    answer: asCompletion,
    refusal: openaiRefusal,
  },
  {
    path: /\/responses$/,
    maker: 'openai',
    refuses: (body, seals, _, before) => refusesResponses(body, seals, before?.thought !== undefined),
    hear: hearResponses,
    answer: asResponse,
    refusal: openaiRefusal,
  },
  {
    path: /\/v1\/messages$/,
    maker: 'anthropic',
    refuses: (body, seals, { model }) => refusesMessages(body, seals, model),
    hear: hearMessages,
    answer: asMessage,
    refusal: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  },
  {
    path: /\/invoke(-with-response-stream)?$/,
    maker: 'anthropic',
    refuses: ({ anthropic_version: version, anthropic_beta: _, ...body }, seals, { model }) =>
      version === 'bedrock-2023-05-31' ? refusesMessages(body, seals, model) : 'anthropic_version: Field required',
    hear: hearMessages,
    answer: (step, body, tokens, seals, { stream }) => asMessage(step, { ...body, stream }, tokens, seals),
    refusal: (message) => ({ message }),
  },
  {
    path: /:(g|streamG)enerateContent/,
    maker: 'gemini',
    refuses: (body, seals, { model, path }) => refusesGenerate(body, seals, model, path.includes('/publishers/')),
    hear: hearGenerate,
    answer: asGenerated,
    refusal: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  },
]

const askedOf = (path: string, body: Json): Asked => ({
  model: text(body.model) || decodeURIComponent(/\/models?\/([^:/?]+)/.exec(path)?.[1] ?? ''),
  stream: body.stream === true || /:stream|with-response-stream/.test(path),
  path,
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

export const startStrictUpstream = async (): Promise<StrictUpstream> => {
  const upstream: ScriptedUpstream = await startScriptedUpstream()
  const complaints: string[] = []
  const bodies: Json[] = []
  const heard: Heard[] = []
  const charged: Tokens[] = []
  let left: Step[] = []
  let before: { readonly step: Step; readonly maker: string } | undefined
  let seals = new Map<string, Seals>()

  const sealsOf = (maker: string): Seals => {
    const known = seals.get(maker) ?? openSeals(maker)
    seals.set(maker, known)
    return known
  }

  const refuse = ({ response }: UpstreamCall, endpoint: Endpoint, complaint: string): void => {
    complaints.push(complaint)
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(endpoint.refusal(complaint)))
  }

  const answer: Answer = (call) => {
    const endpoint = endpoints.find(({ path }) => path.test(call.path))
    if (endpoint === undefined) throw new Error(`nobody answers at ${call.path}`)
    const body = JSON.parse(call.raw) as Json
    const asked = askedOf(call.path, body)
    const its = sealsOf(endpoint.maker)
    bodies.push(body)
    const step = left.shift()
    const own = before?.maker === endpoint.maker ? before.step : undefined
    const complaint = endpoint.refuses(body, its, asked, own) ?? (step === undefined ? 'the script is over' : undefined)
    if (complaint !== undefined || step === undefined) {
      refuse(call, endpoint, complaint ?? '')
      return
    }
    heard.push(endpoint.hear(body, its))
    const tokens = tokensOf(charged.length)
    charged.push(tokens)
    before = { step, maker: endpoint.maker }
    send(call, endpoint.answer(step, body, tokens, its, asked))
  }

  upstream.answer = answer
  return {
    url: upstream.url,
    complaints,
    bodies,
    heard,
    charged,
    play(steps) {
      left = [...steps]
      before = undefined
      seals = new Map()
      for (const all of [complaints, bodies, heard, charged]) all.length = 0
    },
    close: () => upstream.close(),
  }
}
