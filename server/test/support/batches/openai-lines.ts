/** A file of chat completions, as the input of a batch. */
export const inputFile = (model: string, count: number): FormData => {
  const form = new FormData()
  form.set('purpose', 'batch')
  const all = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      custom_id: `line ${index}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] },
    }),
  )
  form.set('file', new Blob([all.join('\n')]), 'input.jsonl')
  return form
}

/** A line of results with an answer of so many tokens. */
export const answered = (model: string, prompt: number, completion: number, more: object = {}) => ({
  id: 'batch_req_1',
  custom_id: 'a',
  response: {
    status_code: 200,
    request_id: 'r',
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...more },
    },
  },
  error: null,
})

/** A line that its provider refused. */
export const failedLine = {
  id: 'batch_req_2',
  custom_id: 'b',
  response: { status_code: 400, request_id: 'r', body: { error: { message: 'no' } } },
  error: null,
}

export const openaiBatch = (status: string, more: object = {}) => ({
  id: 'batch_1',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  input_file_id: 'file-in',
  status,
  ...more,
})
