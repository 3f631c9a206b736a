import type { ModelKind } from '../../lib/api/contract.ts'
import { curl, json, type Snippet } from './snippets.ts'

type Input = Parameters<Snippet['write']>[0]

interface MediaCall {
  readonly path: string
  readonly body: (input: Input) => Readonly<Record<string, unknown>>
  /** Expression after `client.` in OpenAI's libraries; absent if they have no such call. */
  readonly python?: (input: Input) => string
  readonly javascript?: (input: Input) => string
}

const prompt = 'A red bicycle in the rain'

const media: Partial<Record<ModelKind, MediaCall>> = {
  embedding: {
    path: '/v1/embeddings',
    body: ({ model, ask }) => ({ model, input: ask }),
    python: ({ model, ask }) => `answer = client.embeddings.create(model=${json(model)}, input=${json(ask)})
print(answer.data[0].embedding)`,
    javascript: ({
      model,
      ask,
    }) => `const answer = await client.embeddings.create({ model: ${json(model)}, input: ${json(ask)} })
console.log(answer.data[0].embedding)`,
  },
  image: {
    path: '/v1/images/generations',
    body: ({ model }) => ({ model, prompt }),
    python: ({ model }) => `answer = client.images.generate(model=${json(model)}, prompt=${json(prompt)})
print(answer.data[0])`,
    javascript: ({
      model,
    }) => `const answer = await client.images.generate({ model: ${json(model)}, prompt: ${json(prompt)} })
console.log(answer.data[0])`,
  },
  speech: {
    path: '/v1/audio/speech',
    body: ({ model, ask }) => ({ model, input: ask, voice: 'alloy' }),
    python: ({
      model,
      ask,
    }) => `answer = client.audio.speech.create(model=${json(model)}, voice="alloy", input=${json(ask)})
answer.write_to_file("speech.mp3")`,
    javascript: ({ model, ask }) => `import { writeFile } from 'node:fs/promises'

const answer = await client.audio.speech.create({ model: ${json(model)}, voice: 'alloy', input: ${json(ask)} })
await writeFile('speech.mp3', Buffer.from(await answer.arrayBuffer()))`,
  },
  rerank: {
    path: '/v1/rerank',
    body: ({ model, ask }) => ({ model, query: ask, documents: ['first text', 'second text'] }),
  },
  moderation: {
    path: '/v1/moderations',
    body: ({ model, ask }) => ({ model, input: ask }),
    python: ({ model, ask }) => `answer = client.moderations.create(model=${json(model)}, input=${json(ask)})
print(answer.results[0])`,
    javascript: ({
      model,
      ask,
    }) => `const answer = await client.moderations.create({ model: ${json(model)}, input: ${json(ask)} })
console.log(answer.results[0])`,
  },
}

const transcription: Snippet = {
  id: 'curl',
  label: 'curl',
  language: 'bash',
  write: ({ address, key, model }) =>
    [
      `curl '${address}/v1/audio/transcriptions' \\`,
      `  -H 'Authorization: Bearer ${key}' \\`,
      `  -F 'file=@speech.mp3' \\`,
      `  -F 'model=${model.replaceAll("'", `'\\''`)}'`,
    ].join('\n'),
}

const snippetsFor = ({ path, body, python, javascript }: MediaCall): readonly Snippet[] => [
  {
    id: 'curl',
    label: 'curl',
    language: 'bash',
    write: (input) => curl(`${input.address}${path}`, `Authorization: Bearer ${input.key}`, body(input)),
  },
  ...(python === undefined
    ? []
    : [
        {
          id: 'python',
          label: 'Python',
          language: 'python',
          write: (input: Input) => `from openai import OpenAI

client = OpenAI(base_url=${json(`${input.address}/v1`)}, api_key=${json(input.key)})
${python(input)}`,
        },
      ]),
  ...(javascript === undefined
    ? []
    : [
        {
          id: 'javascript',
          label: 'JavaScript',
          language: 'javascript',
          write: (input: Input) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${json(`${input.address}/v1`)}, apiKey: ${json(input.key)} })
${javascript(input)}`,
        },
      ]),
]

/** First calls of a model that is not made for conversations; undefined for all others. */
export const mediaSnippets = (kind: ModelKind): readonly Snippet[] | undefined => {
  if (kind === 'transcription') return [transcription]
  const found = media[kind]
  return found && snippetsFor(found)
}
