/** Requests whose every byte must reach the provider. */
export const untouched: Record<string, Record<string, unknown>> = {
  'explicit zeros and nulls': {
    top_p: 0,
    temperature: 0,
    seed: 0,
    n: 0,
    max_tokens: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    stop: null,
    logprobs: false,
    stream: false,
  },
  'fields of today': {
    logit_bias: { 50256: -100 },
    metadata: { run: '42', empty: '' },
    store: true,
    service_tier: 'flex',
    reasoning_effort: 'minimal',
    verbosity: 'low',
    prediction: { type: 'content', content: 'Hello' },
    prompt_cache_key: 'k',
    safety_identifier: 'u-1',
    web_search_options: { search_context_size: 'low' },
  },
  'fields of tomorrow': { x_future: { deep: [1, 2.5e-7, null, { '😀': '\u2028' }] }, user: '' },
  'image parts': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo='.repeat(2000)}` } },
        ],
      },
    ],
  },
  'audio and file parts': {
    modalities: ['text'],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
        ],
      },
    ],
  },
}
