/** An answer of OpenAI's Responses, whole and in events: pieces of text, and the end with its usage. */
export const responsesEvents = (
  texts: readonly string[],
  usage: { prompt_tokens: number; completion_tokens: number },
) => {
  const event = (type: string, more: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
  const text = texts.join('')
  const place = { item_id: 'msg_kill', output_index: 0, content_index: 0 }
  const object = (status: string, more: object) => ({
    id: 'resp_kill',
    object: 'response',
    created_at: 1_700_000_000,
    model: 'gpt-4o',
    status,
    ...more,
  })
  const response = (status: string, more: object) => ({ response: object(status, more) })
  const message = {
    id: 'msg_kill',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
  const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = usage
  const total = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
  return {
    whole: object('completed', { output: [message], usage: total }),
    begin: event('response.created', response('in_progress', { output: [] })),
    deltas: texts.map((delta) => event('response.output_text.delta', { ...place, delta })),
    end: event('response.completed', response('completed', { output: [message], usage: total })),
  }
}
