import type { CallKind } from './calls/call-kinds.ts'
import type { PlaygroundRequest } from './calls/requests.ts'

export type SampleLanguage = 'curl' | 'python' | 'javascript'
export const sampleLanguages: readonly { value: SampleLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'javascript', label: 'JavaScript' },
]

/** JSON words that Python spells its own way, outside of strings. */
const asPython = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g, (found, word: string | undefined) =>
    word === undefined ? found : word === 'true' ? 'True' : word === 'false' ? 'False' : 'None',
  )

/** The placeholder of a picture; its data would fill pages. */
const longestData = 200
const shortened = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('data:') && value.length > longestData
    ? `${value.slice(0, value.indexOf(',') + 1)}…`
    : value

/** How a call is made with OpenAI's libraries, and what is done with its answer; `request` is the request as the language writes it. */
interface LibraryCall {
  readonly python: (request: string) => readonly string[]
  readonly javascript: (request: string) => readonly string[]
}

const library: Readonly<Record<CallKind, LibraryCall>> = {
  chat: {
    python: (request) => [
      `stream = client.chat.completions.create(**${request})`,
      'for chunk in stream:',
      '    if chunk.choices:',
      '        print(chunk.choices[0].delta.content or "", end="")',
    ],
    javascript: (request) => [
      `const stream = await client.chat.completions.create(${request})`,
      'for await (const chunk of stream) {',
      "  process.stdout.write(chunk.choices[0]?.delta?.content ?? '')",
      '}',
    ],
  },
  image: {
    python: (request) => [
      `answer = client.images.generate(**${request})`,
      'for picture in answer.data:',
      '    print(picture.url or picture.b64_json)',
    ],
    javascript: (request) => [
      `const answer = await client.images.generate(${request})`,
      'for (const picture of answer.data) console.log(picture.url ?? picture.b64_json)',
    ],
  },
  speech: {
    python: (request) => [`answer = client.audio.speech.create(**${request})`, 'answer.write_to_file("speech.mp3")'],
    javascript: (request) => [
      `const answer = await client.audio.speech.create(${request})`,
      "await writeFile('speech.mp3', Buffer.from(await answer.arrayBuffer()))",
    ],
  },
  embedding: {
    python: (request) => [`answer = client.embeddings.create(**${request})`, 'print(answer.data[0].embedding)'],
    javascript: (request) => [
      `const answer = await client.embeddings.create(${request})`,
      'console.log(answer.data[0].embedding)',
    ],
  },
  // The libraries have no method for it.
  rerank: {
    python: (request) => [`answer = client.post("/rerank", body=${request}, cast_to=object)`, 'print(answer)'],
    javascript: (request) => [
      `const answer = await client.post('/rerank', { body: ${request} })`,
      'console.log(answer)',
    ],
  },
  moderation: {
    python: (request) => [`answer = client.moderations.create(**${request})`, 'print(answer.results[0])'],
    javascript: (request) => [
      `const answer = await client.moderations.create(${request})`,
      'console.log(answer.results[0])',
    ],
  },
}

const curlLines = (baseUrl: string, path: string, json: string, kind: CallKind): readonly string[] => [
  `curl ${baseUrl}${path.replace('/v1', '')} \\`,
  '  -H "Authorization: Bearer $API_KEY" \\',
  '  -H "Content-Type: application/json" \\',
  ...(kind === 'speech' ? ['  --output speech.mp3 \\'] : []),
  `  -d '${json.replaceAll("'", "'\\''")}'`,
]

/** The present request as a program; `group` belongs to the playground and is left out. */
export const codeSample = (
  language: SampleLanguage,
  baseUrl: string,
  { kind, path, body: { group: _, stream_options: __, ...request } }: PlaygroundRequest,
): string => {
  const json = JSON.stringify(request, shortened, 2)
  if (language === 'curl') return curlLines(baseUrl, path, json, kind).join('\n')
  if (language === 'python')
    return [
      'from openai import OpenAI',
      '',
      `client = OpenAI(base_url="${baseUrl}", api_key="sk-…")`,
      '',
      ...library[kind].python(asPython(json)),
    ].join('\n')
  return [
    ...(kind === 'speech' ? ["import { writeFile } from 'node:fs/promises'"] : []),
    "import OpenAI from 'openai'",
    '',
    `const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: 'sk-…' })`,
    '',
    ...library[kind].javascript(json),
  ].join('\n')
}
