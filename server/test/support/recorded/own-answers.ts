import type { Recording } from './recordings.ts'

/** Answers of one's own, for machines without the corpus, and for what it does not hold. */
export const ownAnswers: readonly Recording[] = [
  {
    id: 'own chat',
    provider: 'openai',
    format: 'openai.chat',
    stream: false,
    model: 'gpt-5.5',
    response: {
      status: 200,
      body: {
        model: 'gpt-5.5',
        service_tier: 'priority',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 1000,
          completion_tokens: 100,
          total_tokens: 1100,
          prompt_tokens_details: { cached_tokens: 400, audio_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 20 },
        },
      },
    },
  },
  {
    id: 'own response',
    provider: 'openai',
    format: 'openai.responses',
    stream: false,
    model: 'gpt-5.5',
    response: {
      status: 200,
      body: {
        id: 'resp_1',
        model: 'gpt-5.5',
        service_tier: 'flex',
        status: 'completed',
        output: [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } }],
        usage: {
          input_tokens: 1000,
          output_tokens: 100,
          total_tokens: 1100,
          input_tokens_details: { cached_tokens: 10 },
        },
        tool_usage: { web_search: { num_requests: 1 } },
      },
    },
  },
  {
    id: 'own message',
    provider: 'anthropic',
    format: 'anthropic.messages',
    stream: false,
    model: 'claude-opus-5',
    response: {
      status: 200,
      body: {
        model: 'claude-opus-5',
        content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }],
        stop_reason: 'end_turn',
        usage: {
          input_tokens: 1000,
          output_tokens: 100,
          cache_creation_input_tokens: 300,
          cache_read_input_tokens: 50,
          cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
          server_tool_use: { web_search_requests: 2 },
          service_tier: 'priority',
          inference_geo: 'us',
        },
      },
    },
  },
  {
    id: 'own content',
    provider: 'gemini',
    format: 'gemini.generateContent',
    stream: false,
    model: 'gemini-3-pro-preview',
    response: {
      status: 200,
      body: {
        candidates: [
          { content: { parts: [{ text: 'x' }] }, finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['a'] } },
        ],
        usageMetadata: {
          promptTokenCount: 1000,
          candidatesTokenCount: 100,
          totalTokenCount: 1100,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 900 },
            { modality: 'AUDIO', tokenCount: 100 },
          ],
          serviceTier: 'flex',
        },
      },
    },
  },
]
