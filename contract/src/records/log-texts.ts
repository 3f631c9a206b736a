import { z } from 'zod'
import { type ErrorCode, errors, errorText, type Language } from '../errors.ts'
import { ownMember } from '../own-member.ts'

/**
 * How a figure is written: `quota` as an amount in the site's display, `money` with six decimals, `count` and `text` as they
 * are.
 */
type FigureKind = 'quota' | 'money' | 'count' | 'text'
type Figures = Readonly<Record<string, FigureKind>>

interface Template<F extends Figures> {
  readonly figures: F
  readonly zh: string
  readonly en: string
}

const template = <const F extends Figures>(figures: F, zh: string, en: string): Template<F> => ({ figures, zh, en })

/** Every sentence that the server writes into the usage log by itself; figures stand in braces. */
export const logTemplates = {
  registration_gift: template({ amount: 'quota' }, '新用户注册赠送 {amount}', 'Gift to new users: {amount}'),
  invitee_gift: template({ amount: 'quota' }, '使用邀请码赠送 {amount}', 'Gift for using an invitation code: {amount}'),
  inviter_gift: template({ amount: 'quota' }, '邀请用户赠送 {amount}', 'Gift for inviting a user: {amount}'),
  quota_changed: template(
    { from: 'quota', to: 'quota' },
    '管理员将用户额度从 {from}修改为 {to}',
    'An administrator changed the quota from {from} to {to}',
  ),
  topped_up: template(
    { amount: 'quota', money: 'money' },
    '使用在线充值成功，充值金额: {amount}，支付金额：{money}',
    'Topped up online: {amount}, paid: {money}',
  ),
  code_redeemed: template(
    { amount: 'quota', id: 'count' },
    '通过兑换码充值 {amount}，兑换码ID {id}',
    'Redeemed a code: {amount}, code id {id}',
  ),
  drawing_refunded: template(
    { task: 'text', amount: 'quota' },
    '构图失败 {task}，补偿 {amount}',
    'Drawing {task} failed, refunded {amount}',
  ),
  price_corrected: template(
    { correction: 'count', calls: 'count', from: 'quota', to: 'quota' },
    '价格更正 #{correction}：{calls} 次调用的费用由 {from}更正为 {to}',
    'Price correction #{correction}: {calls} calls cost {to} instead of {from}',
  ),
  cache_refunded: template(
    { name: 'text', amount: 'quota' },
    '缓存内容 {name} 提前删除，退还存储费用 {amount}',
    'Cached content {name} was deleted early, refunded {amount} of its storage',
  ),
  task_refunded: template(
    { task: 'text', amount: 'quota' },
    '异步任务执行失败 {task}，补偿 {amount}',
    'Task {task} failed, refunded {amount}',
  ),
} as const

type Templates = typeof logTemplates
export type LogTextCode = keyof Templates

type ParamsOf<F extends Figures> = { readonly [Name in keyof F]: F[Name] extends 'text' ? string : number }

/** A sentence as code and figures; `quota` figures are in quota units. */
export type LogText = {
  [Code in LogTextCode]: { readonly code: Code; readonly params: ParamsOf<Templates[Code]['figures']> }
}[LogTextCode]

/** A sentence as it is stored. `unit`: quota units of one unit of currency, 0 where the site shows quota units. */
export type StoredLogText = LogText & { readonly unit: number }

const stored = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  unit: z.number().min(0),
})

const amounts = {
  zh: { currency: (figure: string) => `＄${figure} 额度`, units: (figure: string) => `${figure} 点额度` },
  en: { currency: (figure: string) => `$${figure}`, units: (figure: string) => `${figure} quota units` },
} as const

const amountOf = (quota: number, unit: number, language: Language): string =>
  unit > 0 ? amounts[language].currency((quota / unit).toFixed(6)) : amounts[language].units(String(quota))

const figureText = (figure: string | number, kind: FigureKind, unit: number, language: Language): string => {
  if (typeof figure === 'string') return figure
  if (kind === 'quota') return amountOf(figure, unit, language)
  return kind === 'money' ? figure.toFixed(6) : String(figure)
}

/**
 * Writes a stored sentence in a language. Undefined for what is no such sentence, or one of a later version: its row is
 * shown with the text that it has.
 */
export const writeLogText = (value: unknown, language: Language): string | undefined => {
  const read = stored.safeParse(value).data
  const found: Template<Figures> | undefined = read && ownMember<Template<Figures>>(logTemplates, read.code)
  if (read === undefined || found === undefined) return undefined
  return found[language].replace(/\{(\w+)\}/g, (place, name: string) => {
    const [figure, kind] = [ownMember(read.params, name), ownMember(found.figures, name)]
    return figure === undefined || kind === undefined ? place : figureText(figure, kind, read.unit, language)
  })
}

const storedError = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

/** Writes the error of a failed call in a language, from `other.error_text`. Undefined as in `writeLogText`. */
export const writeLogError = (value: unknown, language: Language): string | undefined => {
  const read = storedError.safeParse(value).data
  return read !== undefined && isErrorCode(read.code) ? errorText(read.code, language, read.params) : undefined
}
