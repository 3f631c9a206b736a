import { expect, it } from 'vitest'
import type { Usage } from '../../src/billing/usage.ts'
import { collect } from '../../src/dialects/conversation/collect.ts'
import { isObject, type JsonObject } from '../../src/dialects/conversation/json.ts'
import type { UpstreamDialect } from '../../src/dialects/dialect.ts'
import { providers } from '../../src/providers/index.ts'
import type { ModelOptions, Provider } from '../../src/providers/provider.ts'
import { passthroughOf } from '../../src/relay/exchange/passthrough-dialect.ts'
import {
  forwardedSamples,
  type LanguageSample,
  languageSamples,
  mediaSamples,
  type UsageSample,
} from '../support/recorded/usage-samples.ts'

/** Every provider and every kind of call that it has an API of its own for: nothing in its usage is read past the declared table. */

const options: ModelOptions = {
  claude: { maxTokens: {}, thinkingAdapter: false, thinkingShare: 0.8 },
  gemini: { safety: {}, versions: {} },
} as unknown as ModelOptions

const isNothing = (value: unknown): boolean =>
  value === null || value === 0 || value === '' || value === '0' || value === false

/** Paths of all objects within a value, itself included. */
const objectsIn = (value: unknown, path: readonly string[] = []): (readonly string[])[] => {
  if (!isObject(value)) return []
  return [
    ...(Array.isArray(value) ? [] : [path]),
    ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, [...path, name])),
  ]
}

const edited = (value: unknown, path: readonly string[], edit: (object: JsonObject) => JsonObject): unknown => {
  const [first, ...rest] = path
  if (first === undefined) return edit(value as JsonObject)
  if (Array.isArray(value))
    return (value as unknown[]).map((each, at) => (String(at) === first ? edited(each, rest, edit) : each))
  const object = value as JsonObject
  return { ...object, [first]: edited(object[first], rest, edit) }
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isObject(inner) ? (inner as JsonObject)[name] : undefined), value)

interface Case {
  readonly what: string
  readonly answer: JsonObject
}

/** The answer with one unknown member more at each place of its usage, and with each member that counts renamed. */
const changesOf = ({ answer, at, isBare }: UsageSample): readonly Case[] =>
  at.flatMap((place) => {
    const within = isBare === true ? [place] : objectsIn(valueAt(answer, place)).map((path) => [...place, ...path])
    const more = within
      // Members about an API's version and the like are no usage.
      .filter((path) => !path.includes('api_version'))
      .flatMap((path) =>
        ['ultra_tokens', '新'].map((name) => ({
          what: `${path.join('.')} + ${name}`,
          answer: edited(answer, path, (object) => ({ ...object, [name]: 7 })) as JsonObject,
        })),
      )
    const renamed = within
      .filter((path) => !path.includes('api_version'))
      .flatMap((path) => {
        const members = Object.entries(valueAt(answer, path) as JsonObject)
        const counts = members.filter(([, value]) => typeof value === 'number' && !isNothing(value))
        return counts.map(([name]) => ({
          what: `${[...path, name].join('.')} renamed`,
          answer: edited(answer, path, (object) =>
            Object.fromEntries(Object.entries(object).map(([own, value]) => [own === name ? `x_${own}` : own, value])),
          ) as JsonObject,
        }))
      })
    return [...more, ...renamed]
  })

const streamed = (dialect: UpstreamDialect, { stream }: LanguageSample, answer: JsonObject): Usage | undefined => {
  const reader = dialect.openStream()
  const events = stream(answer).flatMap((event) =>
    reader.read(JSON.stringify(event), typeof event.type === 'string' ? event.type : ''),
  )
  return collect([...events, ...reader.end()]).usage
}

const request = {
  model: '',
  texts: ['a'],
  base64: false,
  own: {},
  query: 'a',
  documents: ['a'],
  returnDocuments: false,
}
const pictures = { model: '', prompt: 'a', count: 1, images: [], own: {}, format: 'url', size: undefined }

type Read = (answer: JsonObject, model: string) => Usage | undefined

const noHeaders = (): string => ''

/** Readers of one provider by the kind of call. */
const mediaReaders = (provider: Provider): Readonly<Record<string, Read | undefined>> => {
  const { embeddings, rerank, pictures: drawn, speech: spoken, transcripts } = provider
  return {
    embeddings: embeddings && ((answer, model) => embeddings.read(answer, { ...request, model }, noHeaders).usage),
    rerank: rerank && ((answer, model) => rerank.read(answer, { ...request, model }, noHeaders).usage),
    pictures:
      drawn && ((answer, model) => drawn.dialect(model, options).read(answer, { ...pictures, model } as never).usage),
    speech: spoken && ((answer) => spoken.usage(answer)),
    transcripts: transcripts && ((answer) => transcripts.usage(answer)),
  }
}

const expectMarked = (read: (answer: JsonObject) => Usage | undefined, sample: UsageSample): void => {
  expect(read(sample.answer)?.unknown).toBeUndefined()
  const changes = changesOf(sample)
  expect(changes.length).toBeGreaterThan(0)
  const unmarked = changes.filter(({ answer }) => read(answer)?.unknown === undefined)
  expect(unmarked.map(({ what }) => what)).toEqual([])
}

const languagesOf = ({ languages }: Provider) => {
  const named = languages.map((language) => [language.dialect(options).name, language] as const)
  return [...new Map(named)]
}

const conversations = providers.flatMap((provider) =>
  languagesOf(provider).map(([dialect, language]) => ({ provider: provider.name, dialect, language })),
)

it.each(conversations)('$provider: what is unknown in the usage of $dialect is marked', ({ dialect, language }) => {
  const sample = languageSamples[dialect]
  if (sample === undefined) throw new Error(`no sample of the usage of ${dialect}`)
  const upstream = language.dialect(options)
  expectMarked((answer) => upstream.readAnswer(answer).usage, sample)
  expectMarked((answer) => streamed(upstream, sample, answer), sample)
})

const others = providers.flatMap((provider) =>
  Object.entries(mediaReaders(provider)).flatMap(([kind, read]) =>
    read === undefined ? [] : [{ provider: provider.name, kind, read }],
  ),
)

it.each(others)('$provider: what is unknown in the usage of $kind is marked', ({ provider, kind, read }) => {
  const samples = mediaSamples[`${provider} ${kind}`]
  if (samples === undefined) throw new Error(`no sample of the usage of ${provider} ${kind}`)
  for (const sample of samples) expectMarked((answer) => read(answer, sample.model), sample)
})

const endpoints = ['embeddings', 'rerank', 'moderations', 'images', 'speech', 'transcripts'] as const

it.each(endpoints)('answers to %s that go through as they are', (endpoint) => {
  const samples = forwardedSamples[endpoint] ?? []
  expect(samples).not.toEqual([])
  const dialect = passthroughOf({ endpoint })
  for (const sample of samples) {
    expectMarked((answer) => dialect.usage(answer), sample)
    expectMarked((answer) => {
      const inspector = dialect.createInspector()
      inspector.readUsage(Buffer.from(`data: ${JSON.stringify(answer)}\n\n`))
      return sample.isWholeOnly === true ? dialect.usage(answer) : inspector.usage()
    }, sample)
  }
})

it('a rerank that goes through as it is costs as many search units as it states', () => {
  const { calls } = passthroughOf({ endpoint: 'rerank' })
  expect(calls?.({ results: [], meta: { billed_units: { search_units: 3 } } })).toBe(3)
  expect(calls?.({ results: [], usage: { total_tokens: 5 } })).toBe(1)
})
