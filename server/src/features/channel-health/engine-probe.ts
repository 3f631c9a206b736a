import type { RelayChannel } from '../../relay/ports.ts'
import { ask } from '../../relay/upstream/ask.ts'
import type { Upstream } from '../../relay/upstream/upstream.ts'

const timeoutMs = 3000
const maxBytes = 1024 * 1024

const noOptions = {
  claude: { headers: {}, maxTokens: {}, thinkingAdapter: false, thinkingShare: 0 },
  gemini: { safety: {}, versions: {} },
} as const

/**
 * Asks an engine whether it is there: the first of its paths that it has must answer with a success. undefined for providers that are no
 * engines.
 */
export const openEngineProbe =
  (upstream: Upstream) =>
  (channel: RelayChannel): Promise<boolean> | undefined => {
    const { provider, proxy, keys } = channel
    const { engine } = provider
    if (engine === undefined) return undefined
    const answers = async (): Promise<boolean> => {
      for (const path of engine.probes) {
        const call = {
          channel,
          key: keys[0] ?? '',
          path,
          query: '',
          model: '',
          stream: false,
          passed: {},
          options: noOptions,
        }
        const { status } = await ask(upstream, {
          url: provider.url(call),
          headers: provider.headers(call),
          proxy,
          timeoutMs,
          maxBytes,
        })
        if (status !== 404 && status !== 405) return status >= 200 && status <= 299
      }
      return false
    }
    return answers().catch(() => false)
  }
