interface Envelope<T> {
  success: boolean
  message: string
  data: T
}

/** Answered by a provider that speaks chat completions. */
export const chatModel = 'gpt-4o'
/** Answered by one that speaks Anthropic's messages. */
export const claudeModel = 'claude-3-5-sonnet-20241022'

/** Sets a fresh gateway up as an operator would: signs in, adds the channels, makes a token. Returns the API key. */
export const openSite = async (port: number, upstreamPort: number, password: string): Promise<string> => {
  const base = `http://127.0.0.1:${port}`
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const cookie = response.headers.getSetCookie()[0]
    if (cookie) headers.cookie = cookie.split(';')[0] ?? ''
    const envelope = (await response.json()) as Envelope<T>
    if (!envelope.success) throw new Error(`${method} ${path}: ${envelope.message}`)
    return envelope.data
  }
  const user = await ask<{ id: number }>('POST', '/api/user/login', { username: 'root', password })
  headers['new-api-user'] = String(user.id)
  await ask('PUT', '/api/user/', { id: user.id, quota_delta: 1_000_000_000_000, reason: 'bench' })
  const base_url = `http://127.0.0.1:${upstreamPort}`
  for (const [type, models] of [
    [1, chatModel],
    [14, claudeModel],
  ] as const) {
    await ask('POST', '/api/channel/', { type, name: 'bench', key: 'sk-upstream', base_url, models, group: 'default' })
  }
  const token = await ask<{ key: string }>('POST', '/api/token/', { name: 'bench', unlimited_quota: true })
  return `sk-${token.key}`
}
