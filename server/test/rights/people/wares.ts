import type { Transaction } from 'kysely'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { Tables } from '../../../src/db/schema.ts'
import type { Secrets } from '../../../src/lib/security/secrets.ts'
import { canary } from '../canaries.ts'
import { now } from './now.ts'

export const giveChannel = (query: Transaction<Tables>, secrets: Secrets, userId: number): Promise<number> =>
  insertReturningId(query, 'channels', {
    type: 1,
    key_cipher: secrets.encrypt('channel_key', `${canary('channelkey', userId)}\nsk-second`),
    key_hint: '…qqqq',
    key_hash: canary('channelkey', userId),
    openai_organization: null,
    max_input_tokens: 0,
    test_model: null,
    status: 1,
    name: canary('channelname', userId),
    weight: 0,
    created_time: now(),
    test_time: 0,
    response_time: 0,
    base_url: 'http://127.0.0.1:9',
    other: '',
    balance: 0,
    balance_updated_time: 0,
    models: 'gpt-4o',
    group: 'default',
    model_mapping: null,
    status_code_mapping: null,
    priority: 0,
    auto_ban: 1,
    other_info: '',
    tag: 'eu',
    setting: null,
    param_override: null,
  })

/** A version of list prices without changes. */
export const givePriceVersion = (query: Transaction<Tables>, status: 'proposed' | 'applied'): Promise<number> =>
  insertReturningId(query, 'price_versions', {
    created_at: 1,
    decided_at: status === 'applied' ? 1 : 0,
    effective_from: status === 'applied' ? 1 : 0,
    kind: 'sync',
    source: 'rights',
    status,
    actor_name: '',
  })

/** An order that nobody has paid. */
export const givePendingOrder = (query: Transaction<Tables>, userId: number): Promise<number> =>
  insertReturningId(query, 'top_ups', {
    user_id: userId,
    amount: 1,
    money: '7.30',
    trade_no: `USR${userId}NOpending`,
    create_time: now(),
    status: 'pending',
    quota: 500_000,
    payment_method: 'zfb',
    merchant_id: '1001',
    gateway_trade_no: null,
  })

/** A member of usages that no table declares. */
export const giveUnknownUsage = (query: Transaction<Tables>, userId: number): Promise<number> => {
  const name = `figure_${userId}`
  return insertReturningId(query, 'declared_usage', {
    kind_key: `usage openai ${name}`,
    kind: 'usage',
    place: 'openai',
    name,
    first_time: now(),
    last_time: now(),
    model_name: 'gpt-4o',
    channel_id: 0,
    request_id: '',
    declaration: '',
    declared_by: '',
  })
}

export const giveOrder = async (query: Transaction<Tables>, userId: number): Promise<number> => {
  const trade_no = canary('order', userId)
  const callback = {
    ip: '192.0.2.9',
    verified: 1,
    outcome: 'already',
    parameters: JSON.stringify({ buyer: canary('callback', userId) }),
  }
  const row = { received_time: now(), source: 'notify' as const, trade_no, ...callback }
  await query.insertInto('payment_callbacks').values(row).execute()
  return insertReturningId(query, 'top_ups', {
    user_id: userId,
    amount: 1,
    money: '7.30',
    trade_no,
    create_time: now(),
    status: 'success',
    quota: 500_000,
    payment_method: 'zfb',
    merchant_id: '1001',
    gateway_trade_no: null,
  })
}
