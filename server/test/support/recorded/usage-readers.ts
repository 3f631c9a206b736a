import type { Usage } from '../../../src/billing/usage.ts'
import { UsageReports, widestLimits } from '../../../src/billing/usage-reports.ts'
import { anthropicDialect, anthropicMessages } from '../../../src/dialects/anthropic/dialect.ts'
import { bedrockConverse } from '../../../src/dialects/bedrock/dialect.ts'
import { cohereChat } from '../../../src/dialects/cohere/dialect.ts'
import { cohereEmbeddings } from '../../../src/dialects/cohere/embeddings.ts'
import { cohereRerank } from '../../../src/dialects/cohere/rerank.ts'
import { isObject, type JsonObject } from '../../../src/dialects/conversation/json.ts'
import type { Dialect, UpstreamDialect } from '../../../src/dialects/dialect.ts'
import { geminiContent, geminiDialect } from '../../../src/dialects/gemini/dialect.ts'
import { geminiEmbeddings, vertexEmbeddings } from '../../../src/dialects/gemini/media/embeddings.ts'
import { ollamaChat } from '../../../src/dialects/ollama/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../../src/dialects/openai-responses/dialect.ts'
import type { PassthroughDialect } from '../../../src/dialects/passthrough.ts'
import { dashscope } from '../../../src/providers/ali/language.ts'
import { pictures } from '../../../src/providers/ali/pictures.ts'
import type { ModelOptions } from '../../../src/providers/provider.ts'
import type { RelayEndpoint } from '../../../src/relay/call.ts'
import { passthroughOf } from '../../../src/relay/exchange/passthrough-dialect.ts'
import { LiveMeter } from '../../../src/relay/realtime/live/live-meter.ts'
import { Meter } from '../../../src/relay/realtime/meter.ts'
import type { SessionMeter } from '../../../src/relay/realtime/session-protocol.ts'
import type { Recording } from './recordings.ts'

interface Conversation {
  readonly passthrough?: Dialect['passthrough']
  readonly upstream: UpstreamDialect
}

function conversation({ passthrough, upstream }: Conversation): Reader {
  return (recording, payloads) => [
    ...(passthrough === undefined ? [] : [forwarded(passthrough, recording, payloads)]),
    translated(upstream, recording, payloads),
  ]
}

/** All usages that are read of one answer: as it goes through, translated, or of a session. */
type Reader = (recording: Recording, payloads: readonly unknown[]) => readonly (Usage | undefined)[]

const chat = conversation({ passthrough: openaiChatDialect.passthrough, upstream: openaiChat() })
const gemini = conversation({ passthrough: geminiDialect.passthrough, upstream: geminiContent() })

const inOwnApi =
  (read: (answer: JsonObject, model: string) => Usage | undefined): Reader =>
  ({ model }, [answer]) => [read(answer as JsonObject, model ?? '')]

const forwardedAs =
  (endpoint: RelayEndpoint): Reader =>
  (recording, payloads) => [forwarded(passthroughOf({ endpoint }), recording, payloads)]

const session =
  (open: () => SessionMeter): Reader =>
  (_, payloads) => {
    const meter = open()
    for (const payload of payloads) meter.fromUpstream(payload as JsonObject)
    return [meter.soFar]
  }

const vectors = { texts: ['a'], base64: false, own: {} }
const ranking = { query: 'a', documents: ['a'], returnDocuments: false, own: {} }
const drawing = { prompt: 'a', count: 1, images: [], own: {} }
const noHeaders = (): string => ''

/** By the format of the recording. */
export const usageReaders: Readonly<Record<string, Reader>> = {
  'openai.chat': chat,
  'openai.completions': chat,
  'openai.responses': conversation({ passthrough: openaiResponsesDialect.passthrough, upstream: openaiResponses }),
  'anthropic.messages': conversation({ passthrough: anthropicDialect.passthrough, upstream: anthropicMessages() }),
  'gemini.generateContent': gemini,
  'gemini.streamGenerateContent': gemini,
  'bedrock.converse': conversation({ upstream: bedrockConverse }),
  'cohere.chat.v2': conversation({ upstream: cohereChat }),
  'ollama.chat': conversation({ upstream: ollamaChat }),
  'dashscope.generation': conversation({ upstream: dashscope }),
  'dashscope.multimodal': conversation({ upstream: dashscope }),
  'dashscope.tasks': inOwnApi(
    (answer, model) => pictures.dialect(model, {} as ModelOptions).read(answer, { ...drawing, model } as never).usage,
  ),
  'openai.embeddings': forwardedAs('embeddings'),
  'voyage.embeddings': forwardedAs('embeddings'),
  'voyage.rerank': forwardedAs('rerank'),
  'openai.moderations': forwardedAs('moderations'),
  'openai.images.generations': forwardedAs('images'),
  'openai.images.edits': forwardedAs('images'),
  'openrouter.images': forwardedAs('images'),
  'openai.audio.speech': forwardedAs('speech'),
  'openai.audio.transcriptions': forwardedAs('transcripts'),
  'cohere.embed': inOwnApi((answer, model) => cohereEmbeddings.read(answer, { ...vectors, model }, noHeaders).usage),
  'cohere.rerank': inOwnApi(
    (answer, model) =>
      cohereRerank.read(answer, { ...ranking, model }, noHeaders).usage ??
      passthroughOf({ endpoint: 'rerank' }).usage(answer),
  ),
  'gemini.predict': inOwnApi(
    (answer) => vertexEmbeddings.read(answer, { ...vectors, model: 'gecko' }, noHeaders).usage,
  ),
  'gemini.embedContent': inOwnApi(
    (answer) => vertexEmbeddings.read(answer, { ...vectors, model: 'gemini-embedding-2' }, noHeaders).usage,
  ),
  'gemini.batchEmbedContents': inOwnApi(
    (answer, model) => geminiEmbeddings.read(answer, { ...vectors, model }, noHeaders).usage,
  ),
  'openai.realtime': session(() => new Meter()),
  'gemini.live': session(() => new LiveMeter()),
}

const asEvents = (payloads: readonly unknown[]): Buffer[] =>
  payloads.map((payload) => {
    const type = isObject(payload) && typeof payload.type === 'string' ? `event: ${payload.type}\n` : ''
    return Buffer.from(`${type}data: ${JSON.stringify(payload)}\n\n`)
  })

const forwarded = (
  dialect: PassthroughDialect,
  recording: Recording,
  payloads: readonly unknown[],
): Usage | undefined => {
  if (!recording.stream) return dialect.usage(payloads[0] as JsonObject)
  const inspector = dialect.createInspector()
  for (const event of asEvents(payloads)) inspector.readUsage(event)
  return inspector.usage()
}

const translated = (
  upstream: UpstreamDialect,
  recording: Recording,
  payloads: readonly unknown[],
): Usage | undefined => {
  if (!recording.stream) return upstream.readAnswer(payloads[0] as JsonObject).usage
  const stream = upstream.openStream()
  const events = payloads.flatMap((payload) =>
    stream.read(JSON.stringify(payload), isObject(payload) && typeof payload.type === 'string' ? payload.type : ''),
  )
  const reports = new UsageReports(widestLimits)
  for (const event of [...events, ...stream.end()])
    if (event.kind === 'usage') reports.note(event.usage, event.isStandard)
  return reports.best
}
