import type { JsonObject } from '../../../src/dialects/conversation/json.ts'

/** An answer as its provider documents it, with usage that holds nothing unknown. */
export interface UsageSample {
  readonly model: string
  readonly answer: JsonObject
  /** Paths of usage in the answer. */
  readonly at: readonly (readonly string[])[]
  /** True if the answer's own numbers are its usage: a member that is added to them is usage, too. */
  readonly isBare?: true
}

/** Of an answer that goes through as it came. */
export interface ForwardedSample extends UsageSample {
  /** True where no stream of such answers states it. */
  readonly isWholeOnly?: true
}

export interface LanguageSample extends UsageSample {
  /** The events of a stream that ends with this answer. */
  readonly stream: (answer: JsonObject) => readonly JsonObject[]
}

const openaiUsage = {
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 110,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 5 },
}

const said = { role: 'assistant', content: 'Hi' }
const usage = ['usage'] as const
const same = (answer: JsonObject): readonly JsonObject[] => [answer]

const chunksOf = ({ choices, ...rest }: JsonObject): readonly JsonObject[] => [
  { choices: [{ index: 0, delta: said, finish_reason: 'stop' }] },
  { ...rest, choices: [] },
]

/** By the name of the dialect that reads the provider. */
export const languageSamples: Readonly<Record<string, LanguageSample>> = {
  'openai-chat': {
    model: 'gpt-5.5',
    answer: { choices: [{ index: 0, message: said, finish_reason: 'stop' }], usage: openaiUsage },
    at: [usage],
    stream: chunksOf,
  },
  'openai-responses': {
    model: 'gpt-5.5',
    answer: {
      id: 'r',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
      usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110, input_tokens_details: { cached_tokens: 40 } },
      tool_usage: { web_search: { num_requests: 1 } },
    },
    at: [usage, ['tool_usage']],
    stream: (response) => [
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.completed', response },
    ],
  },
  anthropic: {
    model: 'claude-opus-5',
    answer: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 100,
        output_tokens: 10,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        server_tool_use: { web_search_requests: 1 },
      },
    },
    at: [usage],
    stream: ({ usage: reported, stop_reason, ...message }) => [
      { type: 'message_start', message: { ...message, content: [], usage: reported } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'message_delta', delta: { stop_reason }, usage: reported },
      { type: 'message_stop' },
    ],
  },
  gemini: {
    model: 'gemini-3-pro-preview',
    answer: {
      candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 10,
        totalTokenCount: 110,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
      },
    },
    at: [['usageMetadata']],
    stream: same,
  },
  'bedrock-converse': {
    model: 'amazon.nova-pro-v1:0',
    answer: {
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110, cacheReadInputTokens: 5 },
    },
    at: [usage],
    stream: ({ usage: reported }) => [
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hi' } } },
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: { usage: reported } },
    ],
  },
  cohere: {
    model: 'command-a-03-2025',
    answer: {
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
      finish_reason: 'COMPLETE',
      usage: { billed_units: { input_tokens: 90, output_tokens: 9 }, tokens: { input_tokens: 100, output_tokens: 10 } },
    },
    at: [usage],
    stream: ({ usage: reported, finish_reason }) => [
      { type: 'message-start', id: 'c' },
      { type: 'message-end', delta: { finish_reason, usage: reported } },
    ],
  },
  ollama: {
    model: 'llama3',
    answer: { model: 'llama3', message: said, done: true, done_reason: 'stop', prompt_eval_count: 100, eval_count: 10 },
    at: [[]],
    isBare: true,
    stream: same,
  },
  dashscope: {
    model: 'qwen-max',
    answer: {
      request_id: 'q',
      output: { choices: [{ message: said, finish_reason: 'stop' }] },
      usage: {
        input_tokens: 100,
        output_tokens: 10,
        total_tokens: 110,
        input_tokens_details: { text_tokens: 60, image_tokens: 40 },
        prompt_tokens_details: { cached_tokens: 40 },
        plugins: { search: { count: 1, strategy: 'turbo' } },
      },
    },
    at: [usage],
    stream: same,
  },
  wenxin: {
    model: 'ernie-4.0-8k',
    answer: {
      id: 'w',
      result: 'Hi',
      is_end: true,
      finish_reason: 'normal',
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    },
    at: [usage],
    stream: same,
  },
  hunyuan: {
    model: 'hunyuan-turbo',
    answer: {
      Response: {
        Id: 'h',
        Choices: [{ Message: { Role: 'assistant', Content: 'Hi' }, FinishReason: 'stop' }],
        Usage: {
          PromptTokens: 100,
          CompletionTokens: 10,
          TotalTokens: 110,
          PromptTokensDetails: { CachedTokens: 4 },
        },
      },
    },
    at: [['Response', 'Usage']],
    stream: ({ Response: response }) => [response as JsonObject],
  },
  spark: {
    model: 'generalv3.5',
    answer: {
      header: { code: 0, sid: 's', status: 2 },
      payload: {
        choices: { status: 2, text: [{ role: 'assistant', content: 'Hi' }] },
        usage: { text: { question_tokens: 4, prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } },
      },
    },
    at: [['payload', 'usage', 'text']],
    stream: same,
  },
  dify: {
    model: 'dify',
    answer: {
      event: 'message',
      message_id: 'd',
      answer: 'Hi',
      metadata: {
        usage: {
          prompt_tokens: 100,
          prompt_unit_price: '0.001',
          completion_tokens: 10,
          total_tokens: 110,
          total_price: '0.001',
          currency: 'USD',
          latency: 1.2,
        },
      },
    },
    at: [['metadata', 'usage']],
    stream: ({ answer, metadata }) => [
      { event: 'message', answer },
      { event: 'message_end', metadata },
    ],
  },
}

const openaiVectors = { data: [{ index: 0, embedding: [1] }] }
const picture = [{ url: 'https://a.example/1.png' }]
const ranked = [{ index: 0, relevance_score: 0.5 }]
const imagenAnswer = { predictions: [{ bytesBase64Encoded: 'QQ==' }] }
const geminiVectors: UsageSample = {
  model: 'gemini-embedding-001',
  answer: { embeddings: [{ values: [1] }], usageMetadata: { promptTokenCount: 10 } },
  at: [['usageMetadata']],
}
const geminiDrawn: UsageSample = {
  model: 'gemini-3-pro-image-preview',
  answer: {
    candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'QQ==' } }] } }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 },
  },
  at: [['usageMetadata']],
}
const imagenDrawn: UsageSample = {
  model: 'imagen-4.0-generate-001',
  answer: { ...imagenAnswer, metadata: {}, usageMetadata: {} },
  at: [['metadata'], ['usageMetadata']],
}
const zhipuDrawn: UsageSample = { model: 'cogview-4', answer: { data: picture, usage: {} }, at: [usage] }

/** By the name of the provider and the kind of the call: several where models are answered in several ways. */
export const mediaSamples: Readonly<Record<string, readonly UsageSample[]>> = {
  'Gemini embeddings': [geminiVectors],
  'Gemini pictures': [geminiDrawn, imagenDrawn],
  'PaLM embeddings': [geminiVectors],
  'PaLM pictures': [geminiDrawn, imagenDrawn],
  'VertexAi embeddings': [
    {
      model: 'text-embedding-005',
      answer: {
        predictions: [{ embeddings: { values: [1], statistics: { token_count: 10, truncated: false } } }],
        metadata: { billableCharacterCount: 30 },
      },
      at: [['predictions', '0', 'embeddings', 'statistics'], ['metadata']],
    },
    {
      model: 'gemini-embedding-2-preview',
      answer: { embedding: { values: [1] }, usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 } },
      at: [['usageMetadata']],
    },
  ],
  'VertexAi pictures': [geminiDrawn, imagenDrawn],
  'Zhipu pictures': [zhipuDrawn],
  'Zhipu_v4 pictures': [zhipuDrawn],
  'MiniMax pictures': [
    {
      model: 'image-01',
      answer: {
        data: { image_urls: ['https://a.example/1.png'] },
        metadata: { success_count: '1', failed_count: '0' },
        base_resp: { status_code: 0 },
      },
      at: [['metadata']],
    },
  ],
  'MiniMax speech': [
    {
      model: 'speech-2.8-hd',
      answer: {
        data: { audio: '4141', status: 2 },
        extra_info: {
          audio_length: 1000,
          audio_sample_rate: 32_000,
          audio_size: 2,
          bitrate: 128_000,
          word_count: 2,
          usage_characters: 10,
          audio_format: 'mp3',
          audio_channel: 1,
        },
        base_resp: { status_code: 0 },
      },
      at: [['extra_info']],
    },
  ],
  'SiliconFlow pictures': [{ model: 'Kwai-Kolors/Kolors', answer: { images: picture, usage: {} }, at: [usage] }],
  'Xai pictures': [
    { model: 'grok-2-image', answer: { data: picture, usage: { cost_in_usd_ticks: 200_000_000 } }, at: [usage] },
  ],
  'Ali rerank': [
    {
      model: 'gte-rerank-v2',
      answer: { output: { results: ranked }, usage: { total_tokens: 10 } },
      at: [usage],
    },
  ],
  'Ali pictures': [
    {
      model: 'qwen-image',
      answer: {
        output: { choices: [{ message: { content: [{ image: 'https://a.example/1.png' }] } }] },
        usage: { image_count: 1, width: 1328, height: 1328 },
      },
      at: [usage],
    },
  ],
  'Baidu embeddings': [
    {
      model: 'embedding-v1',
      answer: { ...openaiVectors, usage: { prompt_tokens: 10, total_tokens: 10 } },
      at: [usage],
    },
  ],
  'Baidu rerank': [
    {
      model: 'bce-reranker-base',
      answer: { results: ranked, usage: { prompt_tokens: 10, total_tokens: 10 } },
      at: [usage],
    },
  ],
  'Tencent embeddings': [
    {
      model: 'hunyuan-embedding',
      answer: { Response: { Data: [{ Index: 0, Embedding: [1] }], Usage: { PromptTokens: 10, TotalTokens: 10 } } },
      at: [['Response', 'Usage']],
    },
  ],
  'Cohere embeddings': [
    {
      model: 'embed-v4.0',
      answer: {
        embeddings: { float: [[1]] },
        meta: { api_version: { version: '2' }, billed_units: { input_tokens: 10, image_tokens: 4 } },
      },
      at: [['meta']],
    },
  ],
  'Cohere rerank': [
    {
      model: 'rerank-v3.5',
      answer: { results: ranked, meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } } },
      at: [['meta']],
    },
  ],
  'Ollama embeddings': [
    {
      model: 'nomic-embed-text',
      answer: {
        model: 'nomic-embed-text',
        embeddings: [[1]],
        total_duration: 5,
        load_duration: 1,
        prompt_eval_count: 10,
      },
      at: [[]],
      isBare: true,
    },
  ],
  'Cloudflare embeddings': [
    {
      model: '@cf/baai/bge-m3',
      answer: { ...openaiVectors, usage: { prompt_tokens: 10, total_tokens: 10 } },
      at: [usage],
    },
  ],
  'Cloudflare pictures': [
    { model: '@cf/bytedance/x', answer: { result: { image: 'QQ==', usage: {} } }, at: [['result', 'usage']] },
  ],
  'Cloudflare transcripts': [
    {
      model: '@cf/openai/whisper-large-v3-turbo',
      answer: {
        result: {
          text: 'Hi',
          transcription_info: { language: 'en', language_probability: 1, duration: 2, duration_after_vad: 2 },
          usage: {},
        },
      },
      at: [
        ['result', 'transcription_info'],
        ['result', 'usage'],
      ],
    },
  ],
  'Aws embeddings': [
    {
      model: 'amazon.titan-embed-text-v2:0',
      answer: { embedding: [1], inputTextTokenCount: 10 },
      at: [[]],
      isBare: true,
    },
    {
      model: 'amazon.nova-2-multimodal-embeddings-v1:0',
      answer: { embeddings: [{ embedding: [1] }] },
      at: [[]],
      isBare: true,
    },
    {
      model: 'cohere.embed-v4:0',
      answer: { embeddings: { float: [[1]] }, meta: { billed_units: { input_tokens: 10 } } },
      at: [['meta']],
    },
  ],
  'Aws rerank': [{ model: 'cohere.rerank-v3-5:0', answer: { results: ranked }, at: [[]], isBare: true }],
}

const totalOnly = { total_tokens: 10 }
const soundTokens = {
  type: 'tokens',
  input_tokens: 14,
  input_token_details: { text_tokens: 4, audio_tokens: 10 },
  output_tokens: 5,
  total_tokens: 19,
}

/** By the kind of call, of providers that take OpenAI's or Jina's calls as they are. */
export const forwardedSamples: Readonly<Record<string, readonly ForwardedSample[]>> = {
  embeddings: [
    {
      model: 'text-embedding-3-small',
      answer: { ...openaiVectors, usage: { prompt_tokens: 10, total_tokens: 10 } },
      at: [usage],
    },
    { model: 'jina-embeddings-v4', answer: { ...openaiVectors, usage: totalOnly }, at: [usage], isWholeOnly: true },
    {
      model: 'voyage-multimodal-3',
      answer: { ...openaiVectors, usage: { text_tokens: 4, image_pixels: 1000, total_tokens: 10 } },
      at: [usage],
      isWholeOnly: true,
    },
  ],
  rerank: [
    { model: 'jina-reranker-v2', answer: { results: ranked, usage: totalOnly }, at: [usage], isWholeOnly: true },
    { model: 'rerank-2', answer: { data: ranked, usage: totalOnly }, at: [usage], isWholeOnly: true },
    {
      model: 'BAAI/bge-reranker-v2-m3',
      answer: {
        results: ranked,
        meta: { tokens: { input_tokens: 10 }, billed_units: { input_tokens: 10, search_units: 1 } },
      },
      at: [['meta']],
      isWholeOnly: true,
    },
  ],
  moderations: [
    { model: 'omni-moderation', answer: { results: [{ flagged: false }], usage: { total_tokens: 1 } }, at: [usage] },
  ],
  images: [
    {
      model: 'gpt-image-1.5',
      answer: {
        data: picture,
        usage: {
          input_tokens: 50,
          input_tokens_details: { text_tokens: 10, image_tokens: 40 },
          output_tokens: 4160,
          total_tokens: 4210,
        },
      },
      at: [usage],
    },
    {
      model: 'doubao-seedream-4-5',
      answer: { data: picture, usage: { generated_images: 1, output_tokens: 4096, total_tokens: 4096 } },
      at: [usage],
    },
  ],
  speech: [
    {
      model: 'gpt-4o-mini-tts',
      answer: { type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } },
      at: [usage],
    },
  ],
  transcripts: [
    { model: 'gpt-4o-transcribe', answer: { text: 'Hi', usage: soundTokens }, at: [usage] },
    {
      model: 'whisper-1',
      answer: { text: 'Hi', usage: { type: 'duration', seconds: 3 } },
      at: [usage],
      isWholeOnly: true,
    },
  ],
}
