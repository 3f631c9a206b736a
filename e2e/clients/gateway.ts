import type { LogEntry, LogOther, Page, Token } from '@tollgate/contract'
import type { Tokens } from '../strict/model.ts'
import { type StrictUpstream, startStrictUpstream } from '../strict/upstream.ts'
import { addChannel, addKey, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import type { OpenedKey, UpstreamKind } from './client.ts'
import { type SideUpstream, sideModels, startSideUpstream } from './side-upstream.ts'

/** The built gateway with providers of all kinds behind it. */
export interface Gateway {
  readonly site: Site
  readonly operator: Person
  readonly upstream: StrictUpstream
  readonly side: SideUpstream
  openKey(): Promise<OpenedKey>
  close(): Promise<void>
}

export const models: Readonly<Record<UpstreamKind, string>> = {
  chat: 'gpt-5.2',
  deepseek: 'deepseek-reasoner',
  responses: 'gpt-5.2-codex',
  anthropic: 'claude-sonnet-4-5',
  // Gemini CLI asks for this one where its settings say gemini-3-pro-preview.
  gemini: 'gemini-3.1-pro-preview',
}

/** Names under which agents get these models, where they do something for such a name alone. */
export const otherNames = ['gpt-6.1-sol'] as const

export const channelTypes: Readonly<Record<UpstreamKind, number>> = {
  chat: 8,
  deepseek: 43,
  responses: 1,
  anthropic: 14,
  gemini: 24,
}

/** A channel of type Custom has the whole address of chat completions. */
const addressOf = (kind: UpstreamKind, url: string): string => (kind === 'chat' ? `${url}/v1/chat/completions` : url)

/** Quota of a token of each sort, in units that make every bill a whole number. */
const ratios = { input: 2, cached: 0.5, output: 4 }

/** Price of an answer by the ratios that the gateway is set up with. */
const quotaOf = ({ input, cached, output }: Tokens): number =>
  ratios.input * (input + ratios.cached * cached + ratios.output * output)

const billOf = (tokens: Tokens): readonly number[] => [
  tokens.input + tokens.cached,
  tokens.cached,
  tokens.output,
  quotaOf(tokens),
]

const paid = 2
const patienceMs = 10_000

const billedOf = ({ prompt_tokens: input, completion_tokens: output, quota, other }: LogEntry): readonly number[] => {
  const { cache_tokens: cached = 0 } = JSON.parse(other === '' ? '{}' : other) as LogOther
  return [input, cached, output, quota]
}

/** In an order of their own: calls at the same time end as they like, and no two answers of a script cost the same. */
const billsText = (bills: readonly (readonly number[])[]): string =>
  bills
    .map((bill) => bill.join('/'))
    .toSorted()
    .join(' ')

export const openGateway = async (): Promise<Gateway> => {
  const [upstream, side] = [await startStrictUpstream(), await startSideUpstream()]
  const site = await startSite()
  const operator = await signIn(site.url)
  const kinds = Object.keys(models) as UpstreamKind[]
  const sides = kinds.flatMap((kind) => Object.values(sideModels(kind)))
  const priced = [...Object.values(models), ...otherNames, ...sides, ...side.more]
  const ratiosOf = (ratio: number): string => JSON.stringify(Object.fromEntries(priced.map((name) => [name, ratio])))
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000 })
  const options = { ModelRatio: ratios.input, CompletionRatio: ratios.output, CacheRatio: ratios.cached }
  for (const [key, ratio] of Object.entries(options))
    await operator.must('PUT', '/api/option/', { key, value: ratiosOf(ratio) })
  for (const kind of kinds) {
    const type = channelTypes[kind]
    await addChannel(operator, addressOf(kind, upstream.url), { name: kind, models: models[kind], type })
    for (const [purpose, model] of Object.entries(sideModels(kind)))
      await addChannel(operator, addressOf(kind, side.url), { name: `${kind} ${purpose}`, models: model, type })
  }
  for (const channel of side.channels) await addChannel(operator, side.url, { ...channel })

  let keys = 0
  const openKey = async (): Promise<OpenedKey> => {
    keys += 1
    const name = `client-${keys}`
    const key = await addKey(operator, { name })
    const [token] = await operator.must<Token[]>('GET', '/api/token/?p=0&size=1')
    const bills = async (): Promise<(readonly number[])[]> => {
      const query = new URLSearchParams({ token_name: name, type: String(paid), page_size: '100' })
      const { items } = await operator.must<Page<LogEntry>>('GET', `/api/log/?${query}`)
      return items.toSorted((left, right) => left.id - right.id).map(billedOf)
    }
    return {
      key,
      id: token?.id ?? 0,
      async checkBills() {
        const stated = billsText(upstream.charged.map(billOf))
        const until = Date.now() + patienceMs
        for (;;) {
          const billed = billsText(await bills())
          if (billed === stated) return undefined
          if (Date.now() > until) return `billed ${billed || 'nothing'} instead of ${stated}`
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      },
    }
  }

  return {
    site,
    operator,
    upstream,
    side,
    openKey,
    async close() {
      await site.remove()
      await upstream.close()
      await side.close()
    },
  }
}
