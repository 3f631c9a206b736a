export type SnippetKind = 'curl' | 'python' | 'javascript'

export const snippetKinds: readonly { kind: SnippetKind; label: string }[] = [
  { kind: 'curl', label: 'curl' },
  { kind: 'python', label: 'Python' },
  { kind: 'javascript', label: 'JavaScript' },
]

interface Given {
  /** Without a trailing slash and without `/v1`. */
  readonly address: string
  readonly key: string
  readonly model: string
  /** What to ask. */
  readonly ask: string
}

const shellQuoted = (text: string): string => text.replaceAll("'", `'\\''`)

const curl = ({ address, key, model, ask }: Given): string =>
  `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${shellQuoted(JSON.stringify({ model, messages: [{ role: 'user', content: ask }] }))}'`

const python = ({ address, key, model, ask }: Given): string =>
  `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": ${JSON.stringify(ask)}}],
)
print(answer.choices[0].message.content)`

const javascript = ({ address, key, model, ask }: Given): string =>
  `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: ${JSON.stringify(ask)} }],
})
console.log(answer.choices[0].message.content)`

const writers = { curl, python, javascript } as const

/** A first call that works when pasted. */
export const snippet = (kind: SnippetKind, given: Given): string => writers[kind](given)

/** The address that clients use: what the operator set, else the page's own. */
export const siteAddress = (serverAddress: string, origin: string): string =>
  (serverAddress || origin).replace(/\/+$/, '').replace(/\/v1$/, '')
