/** The API that a snippet uses, or the program that it configures. */
export type SnippetGroup = 'openai' | 'anthropic' | 'gemini' | 'clients'

interface SnippetInput {
  /** Without a trailing slash and without `/v1`. */
  readonly address: string
  readonly key: string
  readonly model: string
  /** The example question. */
  readonly ask: string
}

export interface Snippet {
  /** Unique in its group. */
  readonly id: string
  readonly label: string
  /** For colours. */
  readonly language: string
  /** A first call that works when pasted. */
  readonly write: (input: SnippetInput) => string
}

/** Single quotes end a shell's quoted text. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
export const json = (value: unknown): string => JSON.stringify(value)

export const curl = (url: string, keyHeader: string, body: object, more: readonly string[] = []): string =>
  [
    `curl ${shellQuoted(url)} \\`,
    ...[keyHeader, ...more, 'Content-Type: application/json'].map((header) => `  -H ${shellQuoted(header)} \\`),
    `  -d ${shellQuoted(json(body))}`,
  ].join('\n')

const messages = (ask: string) => [{ role: 'user', content: ask }]
const environment = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellQuoted(value)}`)
    .join('\n')

const openai: readonly Snippet[] = [
  {
    id: 'curl',
    label: 'curl',
    language: 'bash',
    write: ({ address, key, model, ask }) =>
      curl(`${address}/v1/chat/completions`, `Authorization: Bearer ${key}`, { model, messages: messages(ask) }),
  },
  {
    id: 'python',
    label: 'Python',
    language: 'python',
    write: ({ address, key, model, ask }) => `from openai import OpenAI

client = OpenAI(base_url=${json(`${address}/v1`)}, api_key=${json(key)})
answer = client.chat.completions.create(
    model=${json(model)},
    messages=[{"role": "user", "content": ${json(ask)}}],
)
print(answer.choices[0].message.content)`,
  },
  {
    id: 'javascript',
    label: 'JavaScript',
    language: 'javascript',
    write: ({ address, key, model, ask }) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${json(`${address}/v1`)}, apiKey: ${json(key)} })
const answer = await client.chat.completions.create({
  model: ${json(model)},
  messages: [{ role: 'user', content: ${json(ask)} }],
})
console.log(answer.choices[0].message.content)`,
  },
]

const anthropic: readonly Snippet[] = [
  {
    id: 'curl',
    label: 'curl',
    language: 'bash',
    write: ({ address, key, model, ask }) =>
      curl(`${address}/v1/messages`, `x-api-key: ${key}`, { model, max_tokens: 1024, messages: messages(ask) }, [
        'anthropic-version: 2023-06-01',
      ]),
  },
  {
    id: 'python',
    label: 'Python',
    language: 'python',
    write: ({ address, key, model, ask }) => `from anthropic import Anthropic

client = Anthropic(base_url=${json(address)}, api_key=${json(key)})
answer = client.messages.create(
    model=${json(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": ${json(ask)}}],
)
print(answer.content[0].text)`,
  },
  {
    id: 'javascript',
    label: 'JavaScript',
    language: 'javascript',
    write: ({ address, key, model, ask }) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${json(address)}, apiKey: ${json(key)} })
const answer = await client.messages.create({
  model: ${json(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: ${json(ask)} }],
})
console.log(answer.content[0].text)`,
  },
]

const gemini: readonly Snippet[] = [
  {
    id: 'curl',
    label: 'curl',
    language: 'bash',
    write: ({ address, key, model, ask }) =>
      curl(`${address}/v1beta/models/${encodeURI(model)}:generateContent`, `x-goog-api-key: ${key}`, {
        contents: [{ role: 'user', parts: [{ text: ask }] }],
      }),
  },
  {
    id: 'python',
    label: 'Python',
    language: 'python',
    write: ({ address, key, model, ask }) => `from google import genai

client = genai.Client(api_key=${json(key)}, http_options={"base_url": ${json(address)}})
answer = client.models.generate_content(model=${json(model)}, contents=${json(ask)})
print(answer.text)`,
  },
  {
    id: 'javascript',
    label: 'JavaScript',
    language: 'javascript',
    write: ({ address, key, model, ask }) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({ apiKey: ${json(key)}, httpOptions: { baseUrl: ${json(address)} } })
const answer = await client.models.generateContent({ model: ${json(model)}, contents: ${json(ask)} })
console.log(answer.text)`,
  },
]

/** Programs that speak to a gateway once they know its address. */
const clients: readonly Snippet[] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    language: 'bash',
    write: ({ address, key, model }) =>
      `${environment({ ANTHROPIC_BASE_URL: address, ANTHROPIC_AUTH_TOKEN: key })}\nclaude --model ${shellQuoted(model)}`,
  },
  {
    id: 'codex',
    label: 'Codex CLI',
    language: 'bash',
    write: ({ address, key, model }) =>
      [
        environment({ GATEWAY_API_KEY: key }),
        `codex -m ${shellQuoted(model)} -c model_provider=gateway \\`,
        '  -c model_providers.gateway.name=gateway \\',
        `  -c ${shellQuoted(`model_providers.gateway.base_url=${address}/v1`)} \\`,
        '  -c model_providers.gateway.env_key=GATEWAY_API_KEY \\',
        '  -c model_providers.gateway.wire_api=responses',
      ].join('\n'),
  },
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    language: 'bash',
    write: ({ address, key, model }) =>
      `${environment({ GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key })}\ngemini -m ${shellQuoted(model)}`,
  },
  {
    id: 'open-webui',
    label: 'Open WebUI',
    language: 'bash',
    write: ({ address, key }) =>
      [
        'docker run -p 3000:8080 \\',
        `  -e ${shellQuoted(`OPENAI_API_BASE_URL=${address}/v1`)} \\`,
        `  -e ${shellQuoted(`OPENAI_API_KEY=${key}`)} \\`,
        '  ghcr.io/open-webui/open-webui:main',
      ].join('\n'),
  },
  {
    id: 'environment',
    label: '.env',
    language: 'bash',
    write: ({ address, key, model }) => `OPENAI_BASE_URL=${address}/v1\nOPENAI_API_KEY=${key}\nOPENAI_MODEL=${model}`,
  },
]

export const snippets: Readonly<Record<SnippetGroup, readonly Snippet[]>> = { openai, anthropic, gemini, clients }
