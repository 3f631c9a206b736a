import {
  type Answer,
  chunk,
  completion,
  json,
  type ScriptedUpstream,
  startScriptedUpstream,
  usageChunk,
} from './scripted-upstream.ts'

const answerText = 'The gate opens, the meter counts, and every token finds its place on the bill.'

const refusal = (status: number, message: string, code: string): Answer =>
  json({ error: { message, type: 'provider_error', code } }, status)

const later = (ms: number, answer: Answer): Answer => {
  return (call) => void setTimeout(() => answer(call), ms)
}

const spread = (seed: number, least: number, most: number): number =>
  least + Math.floor(((seed * 2_654_435_761) % 4_294_967_296) * ((most - least) / 4_294_967_296))

/** Words with pauses, then the usage; the model is the one that was asked for. */
const slowStream =
  (prompt: number, output: number, model: unknown): Answer =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const words = answerText.split(/(?<= )/)
    const send = (): void => {
      if (response.destroyed) return
      const word = words.shift()
      if (word === undefined) {
        response.end(`data: ${JSON.stringify({ ...usageChunk(prompt, output), model })}\n\ndata: [DONE]\n\n`)
        return
      }
      response.write(`data: ${JSON.stringify(chunk({ content: word }, { model }))}\n\n`)
      setTimeout(send, 8)
    }
    setTimeout(send, 120)
  }

const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'o3-mini', 'text-embedding-3-small']

/**
 * Models that cost twice as much at some hours of the day. Their calls are short, so that what they cost together is written
 * with as many digits at any hour, and pictures of screens agree.
 */
const timedPrices: ReadonlySet<unknown> = new Set(['deepseek-chat'])

/** The word in a channel's key decides how it behaves; lengths and durations vary from call to call, the same in every run. */
const answerOf = (mood: string, body: Record<string, unknown>, count: number): Answer => {
  if (mood === 'revoked') return refusal(401, 'Incorrect API key provided: sk-rev***ked', 'invalid_api_key')
  if (mood === 'crowded') return later(140, refusal(429, 'Rate limit reached for requests', 'rate_limit_exceeded'))
  if (mood === 'broken') return later(320, refusal(503, 'The model is overloaded, try again later', 'overloaded'))
  const share = timedPrices.has(body.model) ? 0.5 : 1
  const prompt = Math.floor(spread(count, 240, 5200) * share)
  const output = Math.floor(spread(count * 7 + 3, 60, 1900) * share)
  if (body.input !== undefined)
    return later(
      90,
      json({ object: 'list', model: body.model, data: [], usage: { prompt_tokens: prompt, total_tokens: prompt } }),
    )
  if (body.stream === true) return slowStream(prompt, output, body.model)
  const cached = mood === 'caching' || body.model === 'o3-mini' ? Math.floor(prompt * 0.6) : 0
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    ...(cached > 0 ? { prompt_tokens_details: { cached_tokens: cached } } : {}),
  }
  const milliseconds = mood === 'slow' ? 3300 : spread(count * 13 + 5, 90, 400)
  return later(milliseconds, json(completion({ content: answerText }, { model: body.model, usage })))
}

/** A provider with the moods of real ones. */
export const startBusyProvider = async (): Promise<ScriptedUpstream> => {
  const upstream = await startScriptedUpstream()
  let count = 0
  upstream.answer = (call) => {
    if (call.path.endsWith('/models')) {
      json({ object: 'list', data: models.map((id) => ({ id })) })(call)
      return
    }
    count += 1
    const key = (call.headers.authorization ?? String(call.headers['api-key'] ?? '')).replace('Bearer ', '')
    answerOf(key.split('-')[1] ?? '', JSON.parse(call.raw) as Record<string, unknown>, count)(call)
  }
  return upstream
}
