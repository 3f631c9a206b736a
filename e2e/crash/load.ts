/** Many clients that call and call again, whatever happens to the server. */
export interface Load {
  /** Request ids of the answers that clients received whole. */
  readonly completed: ReadonlySet<string>
  /** How many answers broke off or never came. */
  readonly broken: number
  stop(): Promise<void>
}

const call = async (url: string, key: string, stream: boolean): Promise<string | undefined> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', stream, messages: [{ role: 'user', content: 'Say something.' }] }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 200)}`)
  const whole = stream ? text.endsWith('data: [DONE]\n\n') : 'usage' in JSON.parse(text)
  return whole ? (response.headers.get('x-oneapi-request-id') ?? undefined) : undefined
}

/** Every other client asks for a stream. Refusals (not broken connections) end up in `refusals`. */
export const startLoad = (url: string, key: string, clients: number, refusals: string[]): Load => {
  const completed = new Set<string>()
  let broken = 0
  let running = true

  const client = async (stream: boolean): Promise<void> => {
    while (running) {
      try {
        const id = await call(url, key, stream)
        if (id === undefined) broken += 1
        else completed.add(id)
      } catch (error) {
        if (/^Error: \d{3} /.test(String(error))) refusals.push(String(error))
        broken += 1
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  const clientsDone = Array.from({ length: clients }, (_, index) => client(index % 2 === 0))

  return {
    completed,
    get broken() {
      return broken
    },
    async stop() {
      running = false
      await Promise.all(clientsDone)
    },
  }
}
