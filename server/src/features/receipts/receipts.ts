import { sign } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Receipt } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { dollarsOf } from '../../billing/amounts/dollars.ts'
import type { Database } from '../../db/database.ts'
import type { Caller } from '../../relay/ports.ts'
import { type CanonicalValue, canonicalJson } from './canonical-json.ts'
import type { ReceiptKeys } from './signing-keys.ts'

/** The signed receipts of calls, for the keys that made them. */
export interface Receipts {
  /**
   * The receipt of a call of this key and its signature, as canonical JSON; undefined where the key made no such call, or the call did not
   * ask what it costs. It is the charge of its day: later corrections have entries of their own. Waits a moment for a call that has just ended.
   */
  of(caller: Pick<Caller, 'userId' | 'tokenId'>, requestId: string): Promise<string | undefined>
}

/** Milliseconds between looks for a call that has just ended, here or on another node: its charge is on its way to the database. */
const pauses = [20, 50, 100, 200, 400, 800]
const longestId = 100

type ToldReceipt = Receipt & { readonly call: NonNullable<Receipt['call']> }

const isTold = (receipt: Partial<Receipt>): receipt is ToldReceipt => receipt.call !== undefined

/** Contents of a receipt; numbers that are not whole are text. */
const contentOf = (id: string, { call, ...receipt }: ToldReceipt, charged: { at: number; kid: string }) => {
  const { mode, basis, model_ratio, model_price, group_ratio, quota_per_unit, price_version, context_above } = receipt
  return {
    id,
    key: charged.kid,
    started: new Date(call.started_at).toISOString(),
    charged: new Date(charged.at * 1000).toISOString(),
    model: call.model,
    path: call.path,
    prompt_tokens: call.prompt_tokens,
    completion_tokens: call.completion_tokens,
    items: receipt.lines.map(({ item, quantity, price }) => ({ item, quantity, price })),
    tools: receipt.tools?.map(({ tool, quantity, price }) => ({ tool, quantity, price })),
    prices: {
      mode,
      basis: basis ?? 'ratio',
      model_ratio,
      model_price,
      group_ratio,
      tier: receipt.tier && { name: receipt.tier.name, ratio: receipt.tier.ratio },
      place: receipt.place && { name: receipt.place.name, ratio: receipt.place.ratio },
      context_above,
      version: price_version,
    },
    estimated: receipt.estimated,
    provisional: receipt.provisional !== undefined,
    units: receipt.quota,
    units_per_dollar: quota_per_unit,
    cost: dollarsOf(receipt),
    currency: 'USD',
  } satisfies CanonicalValue
}

export const openReceipts = (parts: {
  readonly database: Pick<Database, 'query'>
  readonly keys: Pick<ReceiptKeys, 'current'>
}): Receipts => {
  const { database, keys } = parts

  const entryOf = (requestId: string, { userId, tokenId }: Pick<Caller, 'userId' | 'tokenId'>) =>
    database.query
      .selectFrom('ledger_entries')
      .select(['detail', 'amount', 'created_at'])
      .where('movement', '=', requestId)
      .where('account', '=', 'user')
      .where('account_id', '=', userId)
      .where('token_id', '=', tokenId)
      .where('reason', '=', 'charge')
      .executeTakeFirst()

  return {
    async of(caller, requestId) {
      if (requestId.length > longestId) return undefined
      let entry = await entryOf(requestId, caller)
      for (const pause of pauses) {
        if (entry !== undefined) break
        await setTimeout(pause)
        entry = await entryOf(requestId, caller)
      }
      if (entry === undefined) return undefined
      const detail = parseObject(entry.detail) as Partial<Receipt>
      if (!isTold(detail)) return undefined
      const { kid, privateKey } = await keys.current()
      // The movement is what was charged.
      const charge = { ...detail, quota: 0 - entry.amount }
      const receipt = contentOf(requestId, charge, { at: entry.created_at, kid })
      const signature = sign(null, Buffer.from(canonicalJson(receipt)), privateKey).toString('base64url')
      return canonicalJson({ receipt, signature })
    },
  }
}
