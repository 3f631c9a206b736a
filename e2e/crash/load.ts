/** Many clients that call and call again, whatever happens to the server. */
export interface Load {
  /** Request ids of the answers that clients received whole, and the model they asked for. */
  readonly completed: ReadonlyMap<string, string>
  /** How many answers broke off or never came. */
  readonly broken: number
  stop(): Promise<void>
}

/** Request that a client repeats. */
export interface Wish {
  readonly model: string
  readonly stream: boolean
}

const call = async (url: string, key: string, { model, stream }: Wish): Promise<string | undefined> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Say something.' }] }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 200)}`)
  const whole = stream ? text.endsWith('data: [DONE]\n\n') : 'usage' in JSON.parse(text)
  return whole ? (response.headers.get('x-oneapi-request-id') ?? undefined) : undefined
}

/** One client per wish. Refusals (not broken connections) end up in `refusals`. */
export const startLoad = (url: string, key: string, wishes: readonly Wish[], refusals: string[]): Load => {
  const completed = new Map<string, string>()
  let broken = 0
  let running = true

  const client = async (wish: Wish): Promise<void> => {
    while (running) {
      try {
        const id = await call(url, key, wish)
        if (id === undefined) broken += 1
        else completed.set(id, wish.model)
      } catch (error) {
        if (/^Error: \d{3} /.test(String(error))) refusals.push(String(error))
        broken += 1
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  const clientsDone = wishes.map(client)

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
