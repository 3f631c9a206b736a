const dropped: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
  'set-cookie',
  'date',
  'server',
  'via',
  'alt-svc',
  'strict-transport-security',
  'x-request-id',
  'request-id',
  'x-oneapi-request-id',
  'openai-organization',
  'openai-project',
])

const droppedPrefixes = ['access-control-', 'cf-', 'x-amzn-', 'x-envoy-']

/** Few names come again and again; what a provider invents anew is not remembered for ever. */
const known = new Map<string, boolean>()
const mostKnown = 1000

const isDropped = (name: string): boolean => {
  const before = known.get(name)
  if (before !== undefined) return before
  const drops = dropped.has(name) || droppedPrefixes.some((prefix) => name.startsWith(prefix))
  if (known.size < mostKnown) known.set(name, drops)
  return drops
}

/** What of an upstream's head the client gets (M-25): names and values in turn, the length computed anew. */
export const answerHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  length: number,
): string[] => {
  const kept: string[] = ['content-length', String(length)]
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || isDropped(name)) continue
    kept.push(name, typeof value === 'string' ? value : (value[0] ?? ''))
  }
  return kept
}
