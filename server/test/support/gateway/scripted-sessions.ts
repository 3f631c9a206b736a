import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { WebSocket } from 'ws'
import { openTestLive } from './live.ts'
import { maybe } from './payers.ts'
import { openTestRealtime, responseCreated, responseDone } from './realtime.ts'

/** Sessions of OpenAI Realtime and Gemini Live whose upstream answers as a run says, and what their clients have got. */

type Message = Readonly<Record<string, unknown>>

/** Upstream's answer to one question. */
export interface Turn {
  /** Messages of fifty words. */
  readonly pieces: number
  /** Empty beginnings before the first word. */
  readonly opens: boolean
  readonly reports: boolean
  /** `fails` and `errs` are the provider's own words for an answer that does not come; `cuts` closes the session. */
  readonly ends: 'done' | 'fails' | 'errs' | 'cuts'
}

export interface SessionScript {
  readonly turns: readonly Turn[]
  /** All is asked at the beginning, and else when the answer before is over. */
  readonly asksAtOnce: boolean
  /** The words of a turn come in one piece. */
  readonly bursts: boolean
}

export const sessionScripts: fc.Arbitrary<SessionScript> = fc.record({
  turns: fc.array(
    fc.record({
      pieces: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
      opens: fc.boolean(),
      reports: fc.boolean(),
      ends: fc.oneof({ weight: 4, arbitrary: fc.constant('done') }, fc.constantFrom('fails', 'errs', 'cuts')),
    }) as fc.Arbitrary<Turn>,
    { minLength: 1, maxLength: 3 },
  ),
  asksAtOnce: fc.boolean(),
  bursts: fc.boolean(),
})
export const sessionCounts = maybe(fc.constant(2))

const wordsInPiece = 50
const piece = 'word '.repeat(wordsInPiece)
/** Units, as the test prices say: a token of the prompt, and one of an answer. */
const promptUnits = 1.25
const answerUnits = 5
/** Each turn reads more than the one before. */
const promptOf = (turn: number): number => 9 + turn

/** Bounds of the cost of the answers that clients have got, in units. */
export interface Cost {
  readonly least: number
  readonly most: number
}

export const noCost: Cost = { least: 0, most: 0 }
export const sumOfCosts = (all: readonly Cost[]): Cost =>
  all.reduce((sum, { least, most }) => ({ least: sum.least + least, most: sum.most + most }), noCost)

const reported = (prompt: unknown, answer: unknown): Cost => {
  const exact = promptUnits * Number(prompt) + answerUnits * Number(answer)
  return { least: exact, most: exact }
}
/** Words are counted as about a token each, and what was asked for is short. */
const counted = (pieces: number): Cost => {
  const words = pieces * wordsInPiece
  return { least: answerUnits * words * 0.9 - answerUnits, most: (answerUnits + 1) * words + 200 }
}

/** An answer that is over and says nothing has been asked for. */
const empty: Cost = { least: 0, most: 200 }

/** One protocol as its two sides speak it. */
interface Speech {
  readonly path: (key: string) => string
  /** Client's first message in an open session; `asks` comes after `ready`. */
  readonly setup: Message | undefined
  isReady(message: Message): boolean
  readonly ask: Message
  isAsk(message: Message): boolean
  opening(turn: number): readonly Message[]
  say(text: string, turn: number): Message
  end(what: Turn, turn: number): readonly Message[]
  /** The end of a turn, as the client sees it. */
  isEnd(message: Message): boolean
  piecesIn(message: Message): number
  /** Units of a turn that has this end. */
  costOf(end: Message, pieces: number): Cost
}

const asked = { instructions: 'hi' }
const idOf = (turn: number): string => `r${turn}`
const delta = 'response.output_text.delta'

const realtime: Speech = {
  path: () => '/v1/realtime?model=gpt-realtime',
  setup: undefined,
  isReady: ({ type }) => type === 'session.created',
  ask: { type: 'response.create', response: asked },
  isAsk: ({ type }) => type === 'response.create',
  opening: (turn) => [
    responseCreated(idOf(turn)),
    { type: 'response.output_item.added', response_id: idOf(turn), item: { id: 'i', type: 'message', content: [] } },
    { type: 'response.content_part.added', response_id: idOf(turn), item_id: 'i', part: { type: 'text', text: '' } },
  ],
  say: (text, turn) => ({ type: delta, response_id: idOf(turn), item_id: 'i', delta: text }),
  end({ pieces, reports, ends }, turn) {
    const output = pieces * wordsInPiece
    const prompt = promptOf(turn)
    const usage = { total_tokens: prompt + output, input_tokens: prompt, output_tokens: output }
    if (ends === 'done') return [responseDone(reports ? usage : null, idOf(turn))]
    const failed = { id: idOf(turn), status: 'failed', output: [], usage: null }
    const error = { type: 'error', error: { type: 'server_error', code: 'overloaded', message: 'overloaded' } }
    return [ends === 'fails' ? { type: 'response.done', response: failed } : error]
  },
  isEnd: ({ type }) => type === 'response.done' || type === 'error',
  piecesIn: (message) => (message.type === delta ? 1 : 0),
  costOf({ type, response }, pieces) {
    const { usage, status } = (response ?? {}) as { readonly usage?: Message | null; readonly status?: string }
    if (type === 'response.done' && usage) return reported(usage.input_tokens, usage.output_tokens)
    if (pieces > 0) return counted(pieces)
    return status === 'completed' ? empty : noCost
  },
}

const live: Speech = {
  path: (key) => `/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=sk-${key}`,
  setup: { setup: { model: 'models/gpt-4o' } },
  isReady: ({ setupComplete }) => setupComplete !== undefined,
  ask: { clientContent: { turns: [{ role: 'user', parts: [{ text: 'hi' }] }], turnComplete: true } },
  isAsk: ({ clientContent }) => clientContent !== undefined,
  opening: (turn) => [
    { serverContent: { modelTurn: { parts: [{ text: '' }] } } },
    { usageMetadata: { promptTokenCount: promptOf(turn), totalTokenCount: promptOf(turn) } },
  ],
  say: (text) => ({ serverContent: { modelTurn: { parts: [{ text }] } } }),
  end({ pieces, reports }, turn) {
    const output = pieces * wordsInPiece
    const prompt = promptOf(turn)
    const usageMetadata = {
      promptTokenCount: prompt,
      responseTokenCount: output,
      totalTokenCount: prompt + output,
    }
    return [{ serverContent: { turnComplete: true }, ...(reports && { usageMetadata }) }]
  },
  isEnd: ({ serverContent }) => (serverContent as Message | undefined)?.turnComplete === true,
  piecesIn: (message) => (JSON.stringify(message).includes(piece) ? 1 : 0),
  costOf({ usageMetadata }, pieces) {
    const usage = usageMetadata as Message | undefined
    if (usage !== undefined) return reported(usage.promptTokenCount, usage.responseTokenCount)
    return pieces === 0 ? empty : counted(pieces)
  },
}

export const protocols = { realtime, live }
export type ProtocolName = keyof typeof protocols

/** Actions of an upstream in a session. */
interface Answering {
  say(...messages: readonly Message[]): void
  cut(): void
}

/** Answers what a session asks, turn by turn. */
const answering = (speech: Speech, script: SessionScript) => {
  const begun = new Map<object, { turns: number; last: Promise<void> }>()
  const answer = async (turn: Turn, number: number, to: Answering): Promise<void> => {
    const messages = [
      ...(turn.opens || turn.pieces > 0 ? speech.opening(number) : []),
      ...Array.from({ length: turn.pieces }, () => speech.say(piece, number)),
    ]
    const isOver = turn.ends === 'done' || (speech === realtime && turn.ends !== 'cuts')
    const end = isOver ? speech.end(turn, number) : []
    if (script.bursts) to.say(...messages, ...end)
    else
      for (const message of [...messages, ...end]) {
        to.say(message)
        await setImmediate()
      }
    if (!isOver) to.cut()
  }
  return (message: Message, session: object, to: Answering): void => {
    if (!speech.isAsk(message)) return
    const state = begun.get(session) ?? { turns: 0, last: Promise.resolve() }
    begun.set(session, state)
    const number = state.turns
    const turn = script.turns[number]
    state.turns += 1
    if (turn !== undefined) state.last = state.last.then(() => answer(turn, number, to))
  }
}

/** An upstream of each protocol, which answers the next sessions as a script says. */
export interface ScriptedUpstreams {
  urlOf(name: ProtocolName): string
  follow(name: ProtocolName, script: SessionScript): void
  close(): Promise<void>
}

export const openScriptedUpstreams = async (): Promise<ScriptedUpstreams> => {
  const [ofOpenai, ofGoogle] = await Promise.all([openTestRealtime(), openTestLive()])
  return {
    urlOf: (name) => (name === 'realtime' ? ofOpenai.url : ofGoogle.url),
    follow(name, script) {
      const answer = answering(protocols[name], script)
      if (name === 'realtime')
        ofOpenai.answer = (event, session) =>
          answer(event, session, { say: session.say, cut: () => session.socket.close(1011) })
      else
        ofGoogle.answer = (message, session) =>
          answer(message, session, { say: session.say, cut: () => session.close(1011, 'overloaded') })
    },
    close: async () => void (await Promise.all([ofOpenai.close(), ofGoogle.close()])),
  }
}

/** A session of a client, from its handshake to its close. */
export interface SessionGot {
  /** False where the handshake was refused. */
  readonly opened: boolean
  /** Answers that have come whole. */
  readonly whole: number
  readonly cost: Cost
}

/** Asks for every turn of a script, and closes the session once they are over. */
export const runSession = (url: string, key: string, name: ProtocolName, script: SessionScript): Promise<SessionGot> =>
  new Promise((resolve, reject) => {
    const speech = protocols[name]
    const socket = new WebSocket(`${url.replace('http', 'ws')}${speech.path(key)}`, {
      headers: { authorization: `Bearer sk-${key}` },
    })
    const costs: Cost[] = []
    let opened = false
    let over = 0
    let whole = 0
    let pieces = 0
    const send = (message: Message): void => socket.send(JSON.stringify(message))
    const ask = (): void => {
      if (script.asksAtOnce && over > 0) return
      for (const _ of script.asksAtOnce ? script.turns : [0]) send(speech.ask)
    }
    socket.on('open', () => {
      opened = true
      if (speech.setup !== undefined) send(speech.setup)
    })
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as Message
      if (speech.isReady(message)) return ask()
      pieces += speech.piecesIn(message)
      if (!speech.isEnd(message)) return
      costs.push(speech.costOf(message, pieces))
      if (message.type !== 'error') whole += 1
      pieces = 0
      over += 1
      if (over >= script.turns.length) socket.close(1000)
      else if (socket.readyState === WebSocket.OPEN) ask()
    })
    socket.on('unexpected-response', () => resolve({ opened: false, whole: 0, cost: noCost }))
    socket.on('error', reject)
    socket.on('close', () => {
      if (pieces > 0) costs.push(counted(pieces))
      resolve({ opened, whole, cost: sumOfCosts(costs) })
    })
  })
