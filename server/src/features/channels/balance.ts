import { isObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import { reasonParams } from './reasons.ts'

/** Access for reading a balance. */
export interface BalanceSource {
  readonly baseUrl: string
  readonly key: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Reads a JSON answer. Throws AppError('balance_failed') when it is none, or its status is not 200. */
export type GetBalanceJson = (url: string, headers: Readonly<Record<string, string>>) => Promise<Json>

type Json = Readonly<Record<string, unknown>>
type Ask = (source: BalanceSource, get: GetBalanceJson) => Promise<number>

const failed = (reason: string): AppError => new AppError('balance_failed', { params: reasonParams(reason) })

const objectIn = (json: Json, name: string): Json => {
  const value = ownMember(json, name)
  return isObject(value) ? value : {}
}

/** A number, or one written as text. */
const numberIn = (json: Json, name: string): number => {
  const value = ownMember(json, name)
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof amount !== 'number' || !Number.isFinite(amount)) throw failed(`no number: ${name}`)
  return amount
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const dayMs = 86_400_000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Credit minus what was used since the first of the month, or within 100 days where nothing is paid. */
const openai: Ask = async ({ baseUrl, key, now }, get) => {
  const billing = `${baseUrl}/v1/dashboard/billing`
  const subscription = await get(`${billing}/subscription`, bearer(key))
  const start = subscription.has_payment_method === false ? dayOf(now - 100 * dayMs) : `${dayOf(now).slice(0, 8)}01`
  const usage = await get(`${billing}/usage?start_date=${start}&end_date=${dayOf(now)}`, bearer(key))
  return numberIn(subscription, 'hard_limit_usd') - numberIn(usage, 'total_usage') / 100
}

const aiproxy: Ask = async ({ key }, get) => {
  const answer = await get('https://aiproxy.io/api/report/getUserOverview', { 'api-key': key })
  if (answer.success !== true) throw failed(typeof answer.message === 'string' ? answer.message : 'success: false')
  return numberIn(objectIn(answer, 'data'), 'totalPoints')
}

const credit =
  (url: string, field: string): Ask =>
  async ({ key }, get) =>
    numberIn(await get(url, bearer(key)), field)

const siliconflow: Ask = async ({ baseUrl, key }, get) => {
  const answer = await get(`${baseUrl}/v1/user/info`, bearer(key))
  if (answer.code !== 20_000) throw failed(`code: ${answer.code}, message: ${answer.message}`)
  return numberIn(objectIn(answer, 'data'), 'totalBalance')
}

/**
 * An account has one or both currencies (api-docs.deepseek.com, get-user-balance: CNY, USD). Calls are paid from either, so
 * an empty purse in yuan does not hide what there is in dollars.
 */
const deepseek: Ask = async ({ baseUrl, key }, get) => {
  const answer = await get(`${baseUrl}/user/balance`, bearer(key))
  const infos = Array.isArray(answer.balance_infos) ? (answer.balance_infos as readonly Json[]) : []
  const cny = infos.find(({ currency }) => currency === 'CNY')
  const filled = infos.find((info) => numberIn(info, 'total_balance') > 0)
  const info = cny && numberIn(cny, 'total_balance') > 0 ? cny : (filled ?? cny ?? infos[0])
  if (!info) throw failed('currency CNY not found')
  return numberIn(info, 'total_balance')
}

/** platform.moonshot.cn/docs/api/balance: cash and vouchers together, in the currency of the site that is asked. */
const moonshot: Ask = async ({ baseUrl, key }, get) => {
  const answer = await get(`${baseUrl}/v1/users/me/balance`, bearer(key))
  return numberIn(objectIn(answer, 'data'), 'available_balance')
}

/** How the balance of each channel type is read. */
const asks: Readonly<Record<number, Ask>> = {
  1: openai,
  8: openai,
  10: aiproxy,
  12: credit('https://api.api2gpt.com/dashboard/billing/credit_grants', 'total_remaining'),
  13: credit('https://api.aigc2d.com/dashboard/billing/credit_grants', 'total_available'),
  25: moonshot,
  40: siliconflow,
  43: deepseek,
}

/** True if the upstreams of a type tell a balance. */
export const hasBalance = (type: number): boolean => Object.hasOwn(asks, type)

/** The balance of a key as its upstream tells it, in the upstream's currency. Throws AppError. */
export const askBalance = async (type: number, source: BalanceSource, get: GetBalanceJson): Promise<number> => {
  const ask = asks[type]
  if (!ask) throw new AppError('balance_unsupported')
  return ask(source, get)
}
