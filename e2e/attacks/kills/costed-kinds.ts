import { type Call, type CallKind, chat, overSocket } from './call-kinds.ts'

/** Calls whose usage is another one each time, and whose clients want to know what it costs, by a header or by their key. */
const varied = (random: () => number): 'varied' | 'varied-slow' => (random() < 0.1 ? 'varied-slow' : 'varied')

const stream = (random: () => number): { readonly stream: boolean } => ({ stream: random() < 0.5 })

/** Paths and bodies of every dialect that answers text. */
const makers: Readonly<Record<string, (text: string, random: () => number) => Call>> = {
  chat: (text, random) => chat(text, stream(random)),
  'chat with its usage': (text) => chat(text, { stream: true, stream_options: { include_usage: true } }),
  messages: (text, random) => ({
    path: '/v1/messages',
    body: JSON.stringify({
      model: 'gpt-4o',
      max_tokens: 2000,
      messages: [{ role: 'user', content: text }],
      ...stream(random),
    }),
  }),
  responses: (text, random) => ({
    path: '/v1/responses',
    body: JSON.stringify({ model: 'gpt-4o', input: text, ...stream(random) }),
  }),
  'content of Gemini': (text, random) => ({
    path: `/v1beta/models/gpt-4o:${random() < 0.5 ? 'generateContent' : 'streamGenerateContent?alt=sse'}`,
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] }),
  }),
  embeddings: (text) => ({
    path: '/v1/embeddings',
    body: JSON.stringify({ model: 'text-embedding-3-small', input: text }),
  }),
  'response over a socket': (text) => overSocket(text),
}

const kindOf = (name: string, make: (text: string, random: () => number) => Call, byKey: boolean): CallKind => ({
  name: `${name} that states its cost by ${byKey ? 'key' : 'header'}`,
  payer: byKey ? 'withCost' : 'rich',
  weight: 1,
  make: ({ mark, random }) => {
    const call = make(mark(varied(random)), random)
    const leaving = random() < 0.03 ? { leaveAfterMs: random() * 400 } : {}
    return { ...call, ...leaving, ...(byKey ? {} : { asksCost: true }) }
  },
})

/** Calls of every dialect that ask what they cost. */
export const costed: readonly CallKind[] = Object.entries(makers).flatMap(([name, make]) => [
  kindOf(name, make, false),
  kindOf(name, make, true),
])
