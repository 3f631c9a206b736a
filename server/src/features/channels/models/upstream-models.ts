import type { BilingualText, BodyOf, fetchModels } from '@tollgate/contract'
import { isObject } from '@tollgate/contract/json'
import { AppError } from '../../../lib/app-error.ts'
import {
  type AskedAddress,
  networkAdvice,
  statusAdvice,
  unreadableAdvice,
} from '../../../lib/security/address-failure.ts'
import type { EgressGuard } from '../../../lib/security/egress.ts'
import type { Secrets } from '../../../lib/security/secrets.ts'
import type { Provider } from '../../../providers/provider.ts'
import { ask } from '../../../relay/upstream/ask.ts'
import { networkCause } from '../../../relay/upstream/network-failure.ts'
import { redactForOperator } from '../../../relay/upstream/redact.ts'
import type { Upstream } from '../../../relay/upstream/upstream.ts'
import { reasonParams } from '../reasons.ts'
import type { ChannelRow } from '../relay-channel.ts'
import { checkedAddress } from '../rules.ts'
import type { ChannelStore } from '../store.ts'
import { jsonObject, keysOf } from '../texts.ts'

export interface UpstreamModelsParts {
  readonly store: Pick<ChannelStore, 'get'>
  readonly secrets: Pick<Secrets, 'decrypt'>
  provider(type: number): Provider | undefined
  readonly upstream: Upstream
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'check'>
}

export interface UpstreamModels {
  /** Model names that the upstream of a stored channel offers, in its order. */
  ofStored(id: number): Promise<string[]>
  /** The same with what is not saved yet; an empty key with `id` means the stored one. */
  ofRequest(request: BodyOf<typeof fetchModels>): Promise<string[]>
}

interface Source {
  readonly type: number
  readonly baseUrl: string
  readonly key: string
  readonly proxy: string
  readonly organization: string
  readonly other: string
}

const timeoutMs = 30_000
const maxBytes = 8 * 1024 * 1024

/** Asks upstreams for their model lists. */
export const createUpstreamModels = (parts: UpstreamModelsParts): UpstreamModels => {
  const stored = async (id: number): Promise<ChannelRow> => {
    const row = await parts.store.get(id)
    if (!row) throw new AppError('channel_not_found')
    return row
  }

  const keyOf = (row: ChannelRow): string =>
    keysOf(row.type, parts.secrets.decrypt('channel_key', row.key_cipher))[0] ?? ''

  const names = async (source: Source): Promise<string[]> => {
    const provider = parts.provider(source.type)
    if (!provider?.modelList) throw failed(noList)
    const baseUrl = source.baseUrl || provider.baseUrl
    const { organization, other, key, proxy } = source
    const { url, headers } = provider.modelList({ baseUrl, organization, other }, key)
    await parts.egress.check(url)
    const asked = { url, key, proxy, timeoutMs }
    const answer = await ask(parts.upstream, { url, headers, proxy, timeoutMs, maxBytes }).catch((error: Error) => {
      throw networkAdvice(asked, error) ?? failed(redactForOperator(networkCause(error), key), error)
    })
    if (answer.status !== 200) throw statusAdvice(asked, answer.status, 'models_not_there')
    return namesIn(answer.text, asked)
  }

  return {
    ofStored: async (id) => {
      const row = await stored(id)
      return names({ ...sourceOf(row), key: keyOf(row) })
    },
    ofRequest: async (request) => {
      const row = request.id === undefined ? undefined : await stored(request.id)
      const key = keysOf(request.type, request.key)[0] ?? (row ? keyOf(row) : '')
      if (key === '' && parts.provider(request.type)?.keyOptional !== true) throw new AppError('channel_key_required')
      const saved = row ? sourceOf(row) : { organization: '', other: '', proxy: '' }
      return names({
        ...saved,
        type: request.type,
        key,
        baseUrl: checkedAddress(request.base_url ?? ''),
        proxy: request.proxy ?? saved.proxy,
      })
    },
  }
}

const sourceOf = (row: ChannelRow): Omit<Source, 'key'> => {
  const proxy = jsonObject(row.setting)?.proxy
  return {
    type: row.type,
    baseUrl: row.base_url.replace(/\/+$/, ''),
    organization: row.openai_organization ?? '',
    other: row.other,
    proxy: typeof proxy === 'string' ? proxy : '',
  }
}

const noList: BilingualText = { zh: '该渠道类型没有模型列表', en: 'channels of this type have no model list' }

const failed = (reason: string | BilingualText, cause?: unknown): AppError =>
  new AppError('fetch_models_failed', { params: reasonParams(reason), ...(cause === undefined ? {} : { cause }) })

/** OpenAI's list, Gemini's and Ollama's; names that carry Gemini's `models/` lose it. */
const namesIn = (text: string, asked: AskedAddress): string[] => {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (cause) {
    throw unreadableAdvice(asked, text, 'models_unreadable', cause)
  }
  const list = listIn(answer)
  if (!list) throw unreadableAdvice(asked, text, 'models_unreadable')
  const names = list.map(nameOf).filter((name) => name !== undefined)
  return [...new Set(names.map((name) => name.replace(/^models\//, '')))]
}

const listIn = (answer: unknown): readonly unknown[] | undefined => {
  const places = isObject(answer) ? [answer.data, answer.models] : [answer]
  return places.find((place) => Array.isArray(place))
}

const nameOf = (entry: unknown): string | undefined => {
  if (!isObject(entry)) return undefined
  return [entry.id, entry.name, entry.model].find((name) => typeof name === 'string' && name !== '') as
    | string
    | undefined
}
