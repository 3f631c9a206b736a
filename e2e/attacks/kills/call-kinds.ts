import { type Behaviour, behaviours, markOf } from './upstream.ts'

/**
 * Payer of a call: `rich` always has money, `poor` soon has none, `unknown` uses a key that does not exist; `limited` may call so
 * often, `frugal` spend so much, `parallel` have so many calls at the same time. `project` is an organisation whose owner moves money
 * in and out, `moving` a key with a limit that moves between its projects. `withCost` has a key whose answers state their cost.
 */
export type Payer = 'rich' | 'withCost' | 'poor' | 'unknown' | 'limited' | 'frugal' | 'parallel' | 'project' | 'moving'

/** One call as a client sends it. */
export interface Call {
  readonly path: string
  readonly body: string
  /** Leaves after this time; with `half` only a part of the body is ever sent. Milliseconds. */
  readonly leaveAfterMs?: number
  readonly half?: boolean
  /** Sent as a message over a WebSocket. */
  readonly socket?: boolean
  /** Asks with a header that its answer states the cost. */
  readonly asksCost?: boolean
}

/** A maker of calls. `random` gives numbers from 0 up to 1, `mark` makes the call known to the upstream. */
export interface CallKind {
  readonly name: string
  readonly payer: Payer
  /** How often it is chosen, compared with the others. */
  readonly weight: number
  /** Quota units that each complete answer costs; undefined where this run only compares ledger, logs and balances. */
  readonly cost?: number
  make(parts: { readonly random: () => number; readonly mark: (behaviour?: Behaviour) => string }): Call
}

const chatPath = '/v1/chat/completions'
const messagesPath = '/v1/messages'

export const chat = (content: unknown, more: object = {}): Call => ({
  path: chatPath,
  body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }], ...more }),
})

const messages = (content: unknown, more: object = {}): Call => ({
  path: messagesPath,
  body: JSON.stringify({ model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user', content }], ...more }),
})

/** A call of Responses over a WebSocket. */
export const overSocket = (input: string, more: object = {}): Call => ({
  path: '/v1/responses',
  body: JSON.stringify({ type: 'response.create', model: 'gpt-4o', store: false, input, ...more }),
  socket: true,
})

const oneOf = <T>(random: () => number, list: readonly [T, ...T[]]): T =>
  list[Math.floor(random() * list.length)] ?? list[0]

/** 20 prompt and 50 completion tokens of gpt-4o: (20 + 50 × 4) × 1.25. */
export const chatCost = 275

/** Calls of ordinary clients. */
export const ordinary: readonly CallKind[] = [
  { name: 'chat', payer: 'rich', weight: 4, cost: chatCost, make: ({ mark }) => chat(mark()) },
  { name: 'stream', payer: 'rich', weight: 4, cost: chatCost, make: ({ mark }) => chat(mark(), { stream: true }) },
  {
    name: 'slow stream',
    payer: 'rich',
    weight: 3,
    cost: chatCost,
    make: ({ mark }) => chat(mark('slow'), { stream: true }),
  },
  {
    name: 'stream in another dialect',
    payer: 'rich',
    weight: 2,
    cost: chatCost,
    make: ({ mark }) => messages(mark(), { stream: true }),
  },
  { name: 'answer in another dialect', payer: 'rich', weight: 1, cost: chatCost, make: ({ mark }) => messages(mark()) },
  {
    name: 'embedding',
    payer: 'rich',
    weight: 1,
    make: ({ mark }) => ({
      path: '/v1/embeddings',
      body: JSON.stringify({ model: 'text-embedding-3-small', input: mark() }),
    }),
  },
  { name: 'chat of the poor', payer: 'poor', weight: 1, cost: chatCost, make: ({ mark }) => chat(mark()) },
]

/** Calls over WebSockets. */
export const overSockets: readonly CallKind[] = [
  { name: 'answer over a socket', payer: 'rich', weight: 2, cost: chatCost, make: ({ mark }) => overSocket(mark()) },
  {
    name: 'slow answer over a socket',
    payer: 'rich',
    weight: 1,
    cost: chatCost,
    make: ({ mark }) => overSocket(mark('slow')),
  },
]

const prototypeNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const

const usageBehaviours = behaviours.filter((behaviour) => behaviour.startsWith('usage-')) as [Behaviour, ...Behaviour[]]

const largePromptBytes = 3_000_000
const nestedBrackets = 200_000

/** A call of someone whose calls have a limit. */
export const ofTheLimited: CallKind = {
  name: 'chat of the limited',
  payer: 'limited',
  weight: 3,
  cost: chatCost,
  make: ({ mark }) => chat(mark()),
}

/** A call of someone who may spend so much. */
export const ofTheFrugal: CallKind = {
  name: 'chat of the frugal',
  payer: 'frugal',
  weight: 3,
  cost: chatCost,
  make: ({ mark }) => chat(mark(), { max_tokens: 50 }),
}

/** A call of someone who may have so many at the same time. */
export const ofTheParallel: CallKind = {
  name: 'long stream of the parallel',
  payer: 'parallel',
  weight: 2,
  cost: chatCost,
  make: ({ mark }) => chat(mark('long'), { stream: true }),
}

/** Calls of attackers and broken clients. A new attack is a new entry here. */
export const attacks: readonly CallKind[] = [
  {
    name: 'oversized model name',
    payer: 'poor',
    weight: 1,
    make: ({ mark, random }) => chat(mark(), { model: 'm'.repeat(oneOf(random, [256, 70_000, 2_000_000])) }),
  },
  {
    name: 'model name that databases refuse',
    payer: 'rich',
    weight: 1,
    make: ({ mark, random }) =>
      chat(mark(), { model: oneOf(random, ['a\0b', '\ud800', `${'字'.repeat(100)}\u202e`, 'gpt-4o\r\nX-Evil: 1']) }),
  },
  {
    name: 'large prompt',
    payer: 'poor',
    weight: 1,
    make: ({ mark, random }) => chat(mark() + 'word '.repeat((random() * largePromptBytes) / 5), { stream: true }),
  },
  {
    name: 'large prompt of a caller who can pay',
    payer: 'rich',
    weight: 1,
    make: ({ mark, random }) => chat(mark() + 'word '.repeat((random() * largePromptBytes) / 10)),
  },
  {
    name: 'header-hostile member',
    payer: 'rich',
    weight: 2,
    make: ({ mark, random }) =>
      messages(mark(), {
        [oneOf(random, ['备注', 'a\r\nX-Evil: 1', 'z'.repeat(65_000), '\u0000'])]: 1,
        stream: random() < 0.5,
      }),
  },
  {
    name: 'header-hostile part type',
    payer: 'rich',
    weight: 2,
    make: ({ mark, random }) =>
      messages([
        { type: 'text', text: mark() },
        { type: oneOf(random, ['图片', 'text\r\nX-Evil: 1', '\ud800']), text: 'x' },
      ]),
  },
  {
    name: 'prototype words',
    payer: 'rich',
    weight: 2,
    make: ({ mark, random }) => {
      const name = oneOf(random, prototypeNames)
      const body = {
        model: 'gpt-4o',
        max_tokens: 50,
        [name]: { polluted: true },
        messages: [
          { role: oneOf(random, ['user', name]), content: [{ type: oneOf(random, ['text', name]), text: mark() }] },
        ],
      }
      return { path: oneOf(random, [chatPath, messagesPath]), body: JSON.stringify(body) }
    },
  },
  {
    name: 'truncated upstream',
    payer: 'rich',
    weight: 2,
    make: ({ mark, random }) => chat(mark(oneOf<Behaviour>(random, ['cut', 'silent-end'])), { stream: random() < 0.7 }),
  },
  {
    name: 'upstream error',
    payer: 'rich',
    weight: 1,
    make: ({ mark, random }) =>
      chat(mark(oneOf<Behaviour>(random, ['error-200', 'refuse'])), { stream: random() < 0.5 }),
  },
  {
    name: 'absurd usage',
    payer: 'rich',
    weight: 2,
    make: ({ mark, random }) => chat(mark(oneOf(random, usageBehaviours)), { stream: random() < 0.5, max_tokens: 100 }),
  },
  {
    name: 'burst while the balance is used up',
    payer: 'poor',
    weight: 2,
    cost: chatCost,
    make: ({ mark, random }) =>
      oneOf(random, [chat, messages])(mark('burst'), { stream: true, max_tokens: 50 + Math.floor(random() * 400) }),
  },
  {
    name: 'burst over a socket while the balance is used up',
    payer: 'poor',
    weight: 2,
    cost: chatCost,
    make: ({ mark, random }) => overSocket(mark('burst'), { max_output_tokens: 50 + Math.floor(random() * 400) }),
  },
  {
    name: 'socket that is left early',
    payer: 'rich',
    weight: 1,
    make: ({ mark, random }) => ({ ...overSocket(mark('slow')), leaveAfterMs: random() * 800 }),
  },
  { name: 'n of 100', payer: 'poor', weight: 1, make: ({ mark }) => chat(mark(), { n: 100, max_tokens: 50 }) },
  {
    name: 'client leaves early',
    payer: 'rich',
    weight: 2,
    make: ({ mark, random }) => ({ ...chat(mark('slow'), { stream: random() < 0.7 }), leaveAfterMs: random() * 800 }),
  },
  {
    name: 'half a request',
    payer: 'rich',
    weight: 1,
    make: ({ mark, random }) => ({
      ...chat(`${mark()}${'x'.repeat(20_000)}`),
      half: true,
      leaveAfterMs: random() * 1500,
    }),
  },
  { name: 'wrong key', payer: 'unknown', weight: 2, make: ({ mark }) => chat(mark()) },
  {
    name: 'nested brackets',
    payer: 'rich',
    weight: 1,
    make: ({ mark, random }) => {
      const depth = Math.floor(random() * nestedBrackets)
      const nested = '['.repeat(depth) + ']'.repeat(depth)
      return {
        path: chatPath,
        body: `{"model":"gpt-4o","messages":[{"role":"user","content":"${mark()}"}],"x":${nested}}`,
      }
    },
  },
  {
    name: 'no JSON',
    payer: 'rich',
    weight: 1,
    make: ({ mark, random }) => ({ path: chatPath, body: chat(mark()).body.slice(0, Math.floor(random() * 80)) }),
  },
]

/** Chooses by weight. */
export const choose = (kinds: readonly CallKind[], random: () => number): CallKind => {
  let left = random() * kinds.reduce((sum, { weight }) => sum + weight, 0)
  for (const kind of kinds) {
    left -= kind.weight
    if (left < 0) return kind
  }
  throw new Error('there is nothing to choose from')
}

export { markOf }
