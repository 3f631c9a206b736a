import { type Exchange, type Origin, refused, type Subject, streamed, whole } from './exchange.ts'

/** generateContent, after ai.google.dev/api/generate-content and ai.google.dev/gemini-api/docs/thinking. */
type Json = Readonly<Record<string, unknown>>

const model = 'gemini-2.5-flash'
const plain: Origin = { provider: 'gemini', format: 'gemini.generateContent', model, streaming: {} }
const stream: Origin = { ...plain, format: 'gemini.streamGenerateContent' }

const question = (text: string, more: Json = {}): Json => ({
  systemInstruction: { parts: [{ text: 'Answer in one sentence.' }] },
  contents: [{ role: 'user', parts: [{ text }] }],
  ...more,
})

const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] }
const weather = {
  tools: [{ functionDeclarations: [{ name: 'get_weather', description: 'Weather of a city', parameters }] }],
}

const usage = (prompt: number, candidates: number, more: Json = {}, thoughts = 0): Json => ({
  promptTokenCount: prompt,
  ...(candidates > 0 ? { candidatesTokenCount: candidates } : {}),
  totalTokenCount: prompt + candidates + thoughts,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  ...more,
})

const answer = (parts: readonly Json[], finish: string | undefined, used: Json): Json => ({
  candidates: [
    {
      ...(parts.length > 0 ? { content: { parts, role: 'model' } } : {}),
      ...(finish === undefined ? {} : { finishReason: finish }),
      index: 0,
    },
  ],
  usageMetadata: used,
  modelVersion: model,
  responseId: 'VsxgaPTmAtGenvgP3uaP2Ao',
})

const both = (
  subject: Subject,
  request: Json,
  {
    parts,
    pieces,
    finish,
    used,
  }: { parts: readonly Json[]; pieces: readonly (readonly Json[])[]; finish: string; used: Json },
): readonly Exchange[] => [
  whole(plain, subject, request, answer(parts, finish, used)),
  streamed(
    stream,
    subject,
    request,
    pieces.map(
      (piece, index) =>
        `data: ${JSON.stringify(answer(piece, index === pieces.length - 1 ? finish : undefined, used))}`,
    ),
  ),
]

const call = (city: string, more: Json = {}): Json => ({
  functionCall: { name: 'get_weather', args: { city } },
  ...more,
})
const thoughtSignature = 'CiwB0e2Kb2h5VXQ1cGx1c2hpZXMgYXJlIG5vdCBzaWduYXR1cmVzIGJ1dCBmaW5l'

export const geminiExchanges: readonly Exchange[] = [
  ...both('text', question('Say hello in French. Où es-tu ? 🗼'), {
    parts: [{ text: 'Bonjour — ça va très bien 🗼 !' }],
    pieces: [[{ text: 'Bonjour' }], [{ text: ' — ça va' }], [{ text: ' très bien 🗼 !' }]],
    finish: 'STOP',
    used: usage(2061, 11, {
      cachedContentTokenCount: 2048,
      cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 2048 }],
    }),
  }),
  ...both('tool', question('What is the weather in Paris?', weather), {
    parts: [call('Paris', { thoughtSignature })],
    pieces: [[call('Paris', { thoughtSignature })]],
    finish: 'STOP',
    used: usage(57, 15, {}, 48),
  }),
  ...both('parallel-tools', question('What is the weather in Paris and Rome?', weather), {
    parts: [call('Paris', { thoughtSignature }), call('Rome')],
    pieces: [[call('Paris', { thoughtSignature })], [call('Rome')]],
    finish: 'STOP',
    used: usage(60, 31, {}, 63),
  }),
  ...both(
    'thinking',
    question('How many r are in strawberry?', {
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } },
    }),
    {
      parts: [
        { text: 'Let me count: st-r-awbe-r-r-y.', thought: true },
        { text: 'Three.', thoughtSignature },
      ],
      pieces: [
        [{ text: 'Let me count: ', thought: true }],
        [{ text: 'st-r-awbe-r-r-y.', thought: true }],
        [{ text: 'Three' }],
        [{ text: '.', thoughtSignature }],
      ],
      finish: 'STOP',
      used: usage(14, 2, {}, 41),
    },
  ),
  ...both('refusal', question('Tell me how to make something dangerous.'), {
    parts: [],
    pieces: [[]],
    finish: 'SAFETY',
    used: usage(12, 0),
  }),
  ...both('truncated', question('Count to one hundred.', { generationConfig: { maxOutputTokens: 8 } }), {
    parts: [{ text: 'One, two, three, four,' }],
    pieces: [[{ text: 'One, two,' }], [{ text: ' three, four,' }]],
    finish: 'MAX_TOKENS',
    used: usage(10, 8),
  }),
  ...[plain, stream].flatMap((origin) =>
    refused(origin, question('Hello', { generationConfig: { temperature: 9 } }), 400, {
      error: {
        code: 400,
        message: 'Unable to submit request because temperature is 9.0 but the supported range is 0 to 2.0.',
        status: 'INVALID_ARGUMENT',
      },
    }).filter((exchange) => exchange.stream === (origin === stream)),
  ),
]
