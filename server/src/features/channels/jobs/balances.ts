import { AppError } from '../../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../../lib/clock.ts'
import { networkAdvice, statusAdvice, unreadableAdvice } from '../../../lib/security/address-failure.ts'
import type { EgressGuard } from '../../../lib/security/egress.ts'
import type { Secrets } from '../../../lib/security/secrets.ts'
import type { Provider } from '../../../providers/provider.ts'
import { ask } from '../../../relay/upstream/ask.ts'
import { networkCause } from '../../../relay/upstream/network-failure.ts'
import { redactForOperator } from '../../../relay/upstream/redact.ts'
import type { Upstream } from '../../../relay/upstream/upstream.ts'
import { askBalance, type GetBalanceJson } from '../balance.ts'
import { reasonParams } from '../reasons.ts'
import type { ChannelStore } from '../store.ts'
import { jsonObject, keysOf } from '../texts.ts'

export interface BalancesParts {
  readonly store: Pick<ChannelStore, 'get' | 'recordBalance'>
  readonly secrets: Pick<Secrets, 'decrypt'>
  provider(type: number): Provider | undefined
  readonly upstream: Upstream
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'check'>
  readonly clock: Clock
}

/**
 * Asks the upstream of a stored channel for its balance and keeps it; of several keys the sum of those that tell one. Throws
 * AppError.
 */
export type UpdateBalance = (channelId: number) => Promise<number>

const timeoutMs = 30_000
const maxBytes = 1024 * 1024

const failed = (reason: string, cause: Error): AppError =>
  new AppError('balance_failed', { params: reasonParams(reason), cause })

/** One after the other: providers do not like to be asked for many balances at once. Throws when no balance could be read. */
const sum = async (keys: readonly string[], ofKey: (key: string) => Promise<number>): Promise<number> => {
  const balances: number[] = []
  let refusal: unknown = new AppError('channel_key_required')
  for (const key of keys) {
    try {
      balances.push(await ofKey(key))
    } catch (error) {
      refusal = error
    }
  }
  if (balances.length === 0) throw refusal
  return balances.reduce((all, balance) => all + balance, 0)
}

export const createBalances = (parts: BalancesParts): UpdateBalance => {
  const getter =
    (key: string, proxy: string): GetBalanceJson =>
    async (url, headers) => {
      await parts.egress.check(url)
      const asked = { url, key, proxy, timeoutMs }
      const answer = await ask(parts.upstream, { url, headers, proxy, timeoutMs, maxBytes }).catch((error: Error) => {
        throw networkAdvice(asked, error) ?? failed(redactForOperator(networkCause(error), key), error)
      })
      if (answer.status !== 200) throw statusAdvice(asked, answer.status, 'balance_not_there')
      const json = jsonObject(answer.text)
      if (!json) throw unreadableAdvice(asked, answer.text, 'balance_unreadable')
      return json
    }

  return async (channelId) => {
    const row = await parts.store.get(channelId)
    if (!row) throw new AppError('channel_not_found')
    const { type } = row
    const usual = parts.provider(type)?.baseUrl ?? ''
    const baseUrl = (row.base_url.trim() || usual).replace(/\/+$/, '')
    const proxy = jsonObject(row.setting)?.proxy
    const keys = keysOf(type, parts.secrets.decrypt('channel_key', row.key_cipher))
    const ofKey = (key: string): Promise<number> => {
      const get = getter(key, typeof proxy === 'string' ? proxy.trim() : '')
      return askBalance(type, { baseUrl, key, now: parts.clock() }, get)
    }
    const balance = await sum(keys, ofKey)
    await parts.store.recordBalance(channelId, { balance, balance_updated_time: unixSeconds(parts.clock) })
    return balance
  }
}
